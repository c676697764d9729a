import { expect, test } from 'vitest'
import { linuxAmdCards } from '../../../../../electron/host/scan/amd-cards.ts'
import { tempFolder, writeTree } from '../../../../support/temp-folder.ts'

test('the driver’s files say what a GPU has, and whether it is one with the processor', async () => {
  const root = await tempFolder()
  const device = 'sys/class/drm/card1/device'
  await writeTree(root, {
    [`${device}/mem_info_vram_total`]: '1000\n',
    [`${device}/mem_info_vram_used`]: '100\n',
    [`${device}/mem_info_gtt_total`]: '60000\n',
    [`${device}/mem_info_gtt_used`]: '0\n',
    [`${device}/uevent`]: 'DRIVER=amdgpu\nPCI_SLOT_NAME=0000:c5:00.0\n',
    'sys/class/drm/card1-HDMI-A-1/status': 'connected\n',
    'sys/class/kfd/kfd/topology/nodes/0/properties':
      'cpu_cores_count 32\ngfx_target_version 0\nlocation_id 0\n',
    'sys/class/kfd/kfd/topology/nodes/1/properties':
      'simd_count 80\ngfx_target_version 110501\nlocation_id 50432\ndomain 0\n',
  })
  expect(await linuxAmdCards(root)).toEqual([
    { device: 'AMD GPU (gfx1151)', memory: null, shared: { limit: { total: 61_000n, free: 60_900n } } },
  ])
  expect(await linuxAmdCards(await tempFolder())).toEqual([])
})
