import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readAmdDriver } from '../../../shared/scan/amd-driver.ts'
import type { Gpu } from '../../../shared/scan/gpu-text.ts'

const CARDS = '/sys/class/drm'
const UNITS = '/sys/class/kfd/kfd/topology/nodes'
const FIGURES = ['vram_total', 'vram_used', 'gtt_total', 'gtt_used']
/** What a unit's properties are called here. */
const PROPERTIES: Readonly<Record<string, string>> = {
  gfx_target_version: 'gfx',
  location_id: 'location',
  domain: 'domain',
}

/**
 * AMD GPUs as Linux' driver lists them, for machines without AMD's own tools.
 *
 * @param root where the system's files are; a test has others.
 */
export async function linuxAmdCards(root = '/'): Promise<readonly Gpu[]> {
  const read = (...path: string[]): Promise<string> => readFile(join(root, ...path), 'utf8').catch(() => '')
  const list = (path: string): Promise<string[]> => readdir(join(root, path)).catch((): string[] => [])
  const lines: string[] = []
  for (const card of (await list(CARDS)).filter((name) => /^card\d+$/.test(name))) {
    const device = join(CARDS, card, 'device')
    for (const figure of FIGURES) lines.push(`${card} ${figure} ${await read(device, `mem_info_${figure}`)}`)
    const [, slot = ''] = /^PCI_SLOT_NAME=(.+)$/m.exec(await read(device, 'uevent')) ?? []
    lines.push(`${card} slot ${slot}`)
  }
  for (const unit of await list(UNITS)) {
    const properties = await read(UNITS, unit, 'properties')
    for (const [, name = '', value = ''] of properties.matchAll(/^(\w+) (\d+)$/gm)) {
      const key = PROPERTIES[name]
      if (key !== undefined) lines.push(`kfd${unit} ${key} ${value}`)
    }
  }
  return readAmdDriver(lines)
}
