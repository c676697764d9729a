import { chown, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gatherLab } from '../../../../../electron/host/gather/gather-lab.ts'
import { labMachines, type MachineState } from '../../../../../shared/gather/machines.ts'
import { openLabAt } from '../../../../support/scan-lab.ts'
import { CAN_ADD_ACCOUNTS } from '../../../../support/accounts.ts'
import { missingTools } from '../../../../support/ssh-nodes.ts'
import {
  GATHER_TOOLS,
  startSshMachines,
  type MachineKind,
  type SshMachines,
} from '../../../../support/ssh-machines.ts'
import { tempFolder, writeTree } from '../../../../support/temp-folder.ts'
import { gguf } from '../../../../support/weight-files.ts'

const missing = missingTools([...GATHER_TOOLS, 'bash'])

const GREETING = 'echo "*** Welcome ***"\nprintf "@ no answer: "\n'

/** Starts what ssh asked for when the file `go` is in its home, and not before. */
const GATED = '#!/bin/sh\nuntil test -e "$HOME/go"; do sleep 0.1; done\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n'

const KINDS: Readonly<Record<string, MachineKind>> = {
  fish: { node: true, account: { shell: 'fish', files: { '.config/fish/config.fish': GREETING } } },
  bash: { node: true, account: { shell: 'bash', files: { '.bashrc': GREETING } } },
  bare: { node: false, account: { shell: 'fish', files: {} } },
}

async function gather(
  machines: SshMachines,
  nodes: Readonly<Record<string, string>>,
  onState: (nodeId: string, state: MachineState) => void = () => undefined,
) {
  const folder = await tempFolder()
  const fleet = Object.entries(nodes).map(
    ([id, ssh]) => `  - {id: ${id}, ssh: ${ssh}, root: ${join(machines.home(ssh), 'models')}}\n`,
  )
  await writeTree(folder, { 'docs/models/fleet.yaml': `nodes:\n${fleet.join('')}` })
  const lab = await openLabAt(folder)
  return gatherLab({
    lab,
    machines: labMachines(lab.lab),
    env: machines.env,
    agent: () => readFile('dist/agent/agent.cjs', 'utf8'),
    nowSecs: () => 1_790_000_000,
    signal: new AbortController().signal,
    onState,
  })
}

describe.skipIf(missing.length > 0 || !CAN_ADD_ACCOUNTS)('accounts with other login shells', () => {
  let machines: SshMachines
  beforeAll(async () => {
    machines = await startSshMachines(KINDS)
    for (const name of Object.keys(KINDS)) {
      await writeTree(machines.home(name), { 'models/Alpha-8B.gguf': gguf({ fill: 'w' }) })
      const { uid, gid } = await stat(machines.home(name))
      await chown(join(machines.home(name), 'models'), uid, gid)
    }
  }, 60_000)
  afterAll(() => machines.stop())

  test('answer whatever they print first, and keep nothing but hashes', { timeout: 120_000 }, async () => {
    const before = new Map<string, readonly string[]>()
    for (const name of Object.keys(KINDS)) before.set(name, await machines.filesAt(name))
    const states = await gather(machines, { fish: 'fish', bash: 'bash', bare: 'bare' })
    expect(states.map((state) => state.kind === 'gathered' && [state.by, state.models])).toEqual([
      ['sh', 0],
      ['node', 1],
      ['node', 1],
    ])
    for (const name of Object.keys(KINDS)) {
      const known = before.get(name) ?? []
      // What fish keeps of itself when it starts is not ours.
      const fresh = (await machines.filesAt(name)).filter(
        (file) => !known.includes(file) && !/^\.(?:config|local\/share|cache)\/fish\//.test(file),
      )
      expect(fresh, name).toEqual(name === 'bare' ? [] : ['.config/lab-planner/scan.json'])
    }
  })
})

describe.skipIf(missing.length > 0)('twenty machines', () => {
  let machines: SshMachines
  beforeAll(async () => {
    machines = await startSshMachines({ quick: { node: false }, gated: { node: false, loginShell: GATED } })
  }, 60_000)
  afterAll(() => machines.stop())

  test('are gathered while one of them makes them wait', { timeout: 120_000 }, async () => {
    const quick = Array.from({ length: 19 }, (_, i) => [`z${i}`, 'quick'] as const)
    let left = quick.length
    const states = await gather(
      machines,
      { a: 'gated', ...Object.fromEntries(quick) },
      (nodeId, { kind }) => {
        if (nodeId === 'a' || kind !== 'gathered') return
        left--
        if (left === 0) void writeFile(join(machines.home('gated'), 'go'), '')
      },
    )
    expect(states.map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'gathered'))
  })
})
