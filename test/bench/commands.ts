import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SAMPLE_LAB } from '../support/planner-home.ts'
import type { BenchCase } from './measure.ts'

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
  ]
}

function node(args: readonly string[]): { readonly status: number | null } {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'ignore' })
}
