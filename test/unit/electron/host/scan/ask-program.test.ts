import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programAsker } from '../../../../../electron/host/scan/ask-program.ts'
import { ownMachine, type MachineFacts } from '../../../../../electron/host/scan/own-machine.ts'
import { probeMachine } from '../../../../../electron/host/scan/probe-machine.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'

/** A folder with shell scripts of these names. */
async function programs(scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await tempFolder()
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return folder
}

function asker(folder: string) {
  return programAsker({ env: { PATH: `${folder}:/usr/bin:/bin` }, platform: 'linux' })
}

describe('asking a program', () => {
  test('gives what it says and how it ended', async () => {
    const ask = asker(await programs({ tool: 'echo out $1; echo err >&2; exit 3' }))
    expect(await ask('tool', ['a b'], 5000)).toEqual({
      kind: 'ended',
      exitCode: 3,
      stdout: 'out a b\n',
      stderr: 'err\n',
    })
  })

  test('says that there is none, also of a file that cannot be run and of a folder', async () => {
    const folder = await programs({ tool: 'echo hi', tools: '' })
    await chmod(join(folder, 'tool'), 0o644)
    const ask = asker(folder)
    expect(await ask('nothing', [], 5000)).toEqual({ kind: 'absent' })
    expect(await ask('tool', [], 5000)).toEqual({ kind: 'absent' })
  })

  test('ends one that takes too long, with what it started, and waits no longer', async () => {
    const ask = asker(await programs({ slow: 'sleep 30 & wait' }))
    const start = performance.now()
    expect(await ask('slow', [], 100)).toEqual({ kind: 'timed_out' })
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  test('is not held up by a child that keeps its output open', async () => {
    const ask = asker(await programs({ daemon: 'sleep 30 & echo started' }))
    expect((await ask('daemon', [], 500)).kind).toBe('timed_out')
  })

  test('fails when it is killed, or is no program after all', async () => {
    const folder = await programs({ suicidal: 'kill -9 $$' })
    await writeFile(join(folder, 'garbage'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]))
    await chmod(join(folder, 'garbage'), 0o755)
    const ask = asker(folder)
    expect(await ask('suicidal', [], 5000)).toEqual({ kind: 'failed' })
    // The system gives what is no program to the shell, which does not know what to do with it.
    expect(await ask('garbage', [], 5000)).not.toMatchObject({ exitCode: 0 })
  })

  test('takes no more than a bounded part of an endless answer', async () => {
    const ask = asker(await programs({ loud: 'head -c 3000000 /dev/zero' }))
    const answer = await ask('loud', [], 20_000)
    expect(answer.kind === 'ended' && answer.stdout.length).toBe(256 * 1024)
  })
})

const FACTS: MachineFacts = {
  cpu: () => Promise.resolve({ model: 'CPU', cores: 4 }),
  os: () => Promise.resolve(null),
  memory: () => Promise.reject(new Error('no')),
  appleGpu: () => Promise.resolve(null),
  amdCards: () => Promise.resolve(null),
  jetson: () => Promise.resolve(null),
  gpuDevices: () => Promise.resolve([]),
  wiredLimit: () => Promise.resolve(null),
  servers: () => Promise.resolve(null),
  mounts: () => new Promise(() => undefined),
}

describe('probing a machine', () => {
  test('takes for a runtime what answers as one, and nothing else', async () => {
    const folder = await programs({
      'llama-server': 'echo "version: 6527 (7f76692)" >&2',
      ollama: 'head -c 300 /dev/urandom',
      'mlx_lm.server': 'sleep 30',
      'nvidia-smi': 'echo "NVIDIA RTX 6000, 49140, 41960"; echo "WARNING: infoROM is corrupted"; exit 14',
      'rocm-smi': 'echo "no devices" >&2; exit 2',
    })
    const probes = await probeMachine({
      platform: 'linux',
      arch: 'x64',
      ask: asker(folder),
      facts: FACTS,
      timeoutMs: 1000,
    })
    expect(probes.runtimes).toEqual([
      { runtime: 'infer.llamacpp', asked: { kind: 'answered', value: { version: '6527' } } },
      { runtime: 'infer.mlx-lm', asked: { kind: 'timed_out' } },
      { runtime: 'infer.ollama', asked: { kind: 'not_recognised', remark: expect.anything() as string } },
    ])
    expect(probes.nvidia).toMatchObject({
      kind: 'answered',
      value: [{ device: 'NVIDIA RTX 6000' }],
      remark: 'exit code 14, “WARNING: infoROM is corrupted”',
    })
    expect(probes.rocm).toEqual({ kind: 'failed', remark: 'exit code 2, “no devices”' })
  })

  test('goes on without what the machine does not tell, or not in time', async () => {
    const probes = await probeMachine({
      platform: 'darwin',
      arch: 'arm64',
      ask: () => Promise.resolve({ kind: 'absent' }),
      facts: FACTS,
      timeoutMs: 50,
    })
    expect(probes).toMatchObject({
      platform: 'macos',
      arch: 'aarch64',
      cpu: { cores: 4 },
      memory: null,
      mounts: null,
    })
  })
})

describe('the file systems of a machine', () => {
  const TABLE = `Filesystem Type 1024-blocks Used Available Capacity Mounted on
/dev/vda ext4 960302824 700000000 211445292 77% /
tank/models zfs 8000000000 128 7999999872 1% /tmp
tmpfs tmpfs 100 0 100 0% /run/x`

  test.skipIf(process.platform !== 'linux')(
    'count whatever their names are, and although df fails',
    async () => {
      const folder = await programs({ df: `cat <<'X'\n${TABLE}\nX\necho "df: /mnt/gone: stale" >&2; exit 1` })
      const mounts = await ownMachine('linux', 'x64', asker(folder)).mounts()
      expect(mounts?.map(({ source, path, freeBytes }) => [source, path, freeBytes])).toEqual([
        ['/dev/vda', '/', 211445292n * 1024n],
        ['tank/models', '/tmp', 7999999872n * 1024n],
      ])
    },
  )

  test.skipIf(process.platform !== 'linux')(
    'are asked one by one where df hangs on one of them',
    async () => {
      const script = `[ "$#" -eq 1 ] && exec sleep 60; echo "/dev/x ext4 100 40 60 40% $2"`
      const mounts = await ownMachine('linux', 'x64', asker(await programs({ df: script }))).mounts()
      expect(mounts?.every(({ freeBytes }) => freeBytes === 60n * 1024n)).not.toBe(false)
    },
  )
})
