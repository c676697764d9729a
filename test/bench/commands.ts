import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SAMPLE_LAB } from '../support/planner-home.ts'
import { bigLab } from './big-lab.ts'
import type { BenchCase } from './measure.ts'

const LARGE = { roles: 40, nodes: 2000, models: 30, shards: 16 }
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** How long the built command takes, with the runtime it starts; none when it is not built. */
export function commandCases(): readonly BenchCase[] {
  if (!existsSync(fileURLToPath(new URL('../../dist/host/cli.js', import.meta.url)))) return []
  return [
    {
      name: 'lab-planner plan',
      run: () => {
        // 2 says that some role of the sample cannot be placed, which is so.
        const { status } = node(['bin/lab-planner.js', 'plan', '--lab', SAMPLE_LAB])
        if (status !== 0 && status !== 2) throw new Error(`lab-planner plan ended with ${status}`)
      },
      baseline: () => void node(['-e', '0']),
      against: 'node -e 0',
    },
    {
      name: 'lab-planner explain, 2000 nodes',
      run: () => {
        const { status } = node(['bin/lab-planner.js', 'explain', 'role-00003', '--lab', largeLab()])
        if (status !== 0 && status !== 2) throw new Error(`lab-planner explain ended with ${status}`)
      },
      baseline: () => void node(['bin/lab-planner.js', 'plan', '--lab', largeLab()]),
      against: 'lab-planner plan of the same lab; the budget is one second',
    },
  ]
}

/** Where the lab of 2,000 nodes is; it is written when it is first asked for, and removed with the process. */
let large: string | null = null
function largeLab(): string {
  if (large !== null) return large
  const folder = mkdtempSync(join(tmpdir(), 'lab-planner-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { nodes = {}, roster = '', overlay = '', registry = '' } = bigLab(LARGE)
  const write = (path: string, text: string): void => writeFileSync(join(folder, 'docs/models', path), text)
  mkdirSync(join(folder, 'docs/models/nodes'), { recursive: true })
  write('queue.yaml', roster)
  write('overlay.yaml', overlay)
  write('registry.json', registry)
  for (const [name, text] of Object.entries(nodes)) write(`nodes/${name}`, text)
  large = folder
  return folder
}

function node(args: readonly string[]): { readonly status: number | null } {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'ignore' })
}
