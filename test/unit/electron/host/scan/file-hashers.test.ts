import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  defaultHashThreads,
  hashersHere,
  hashThreads,
  type FileHashers,
  type HashRequest,
  type HashThreadSource,
} from '../../../../../electron/host/scan/file-hashers.ts'
import { blake3Of } from '../../../../support/model-trees.ts'
import { scanFolders, scanInto } from '../../../../support/scan-lab.ts'
import { tempFolder, writeTree } from '../../../../support/temp-folder.ts'
import { gguf } from '../../../../support/weight-files.ts'

const BUILT: HashThreadSource = { kind: 'file', path: join(process.cwd(), 'dist/host/hash-worker.js') }
const CHUNK = 4 * 1024 * 1024

const open: FileHashers[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((hashers) => hashers.close()))
})

function threads(source: HashThreadSource, count: number): FileHashers {
  const hashers = hashThreads(source, count)
  open.push(hashers)
  return hashers
}

function request(changes: Partial<HashRequest> = {}): HashRequest {
  return { signal: new AbortController().signal, onBytes: () => undefined, expected: null, ...changes }
}

/** The file that is sent to other machines, as the script that starts its threads. */
async function agentScript(): Promise<HashThreadSource> {
  const agent = await readFile('dist/agent/agent.cjs', 'utf8')
  return {
    kind: 'script',
    text: `(function(exports, require) {${agent}\n;return exports})({}, require).hash()`,
  }
}

describe('threads that hash', () => {
  test.each([1, 3])('hash the same as the own thread, %i of them', async (count) => {
    const folder = await tempFolder()
    const sizes = [0, 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7, 17]
    const hashers = threads(BUILT, count)
    await Promise.all(
      sizes.map(async (size, i) => {
        const path = join(folder, `${i}`)
        const content = Buffer.alloc(size, `file ${i}`)
        await writeFile(path, content)
        let told = 0
        const outcome = await hashers.hash(path, request({ onBytes: (bytes) => (told += bytes) }))
        expect(outcome).toEqual(await hashersHere().hash(path, request()))
        expect(outcome).toMatchObject({ kind: 'hashed', blake3: blake3Of(content) })
        expect(told).toBe(size)
      }),
    )
  })

  test('are those of the file for other machines too', async () => {
    const path = join(await tempFolder(), 'f')
    await writeFile(path, 'weights')
    expect(await threads(await agentScript(), 1).hash(path, request())).toMatchObject({
      blake3: blake3Of('weights'),
    })
  })

  test('say what the own thread says of files that have no hash', async () => {
    const folder = await tempFolder()
    await mkdir(join(folder, 'sub'))
    await writeFile(join(folder, 'f'), 'x')
    const hashers = threads(BUILT, 1)
    const expected = { size: 9n, mtimeNs: 1n }
    for (const name of ['none', 'sub', 'f']) {
      const outcome = await hashers.hash(join(folder, name), request({ expected }))
      expect(outcome).toEqual(await hashersHere().hash(join(folder, name), request({ expected })))
      expect(outcome.kind).not.toBe('hashed')
    }
  })

  test('stop in the middle of a file, and one file alone', async () => {
    const folder = await tempFolder()
    for (const name of ['a', 'b']) await writeFile(join(folder, name), Buffer.alloc(CHUNK * 8))
    const hashers = threads(BUILT, 1)
    const controller = new AbortController()
    let told = 0
    const onBytes = (bytes: number): void => {
      told += bytes
      controller.abort()
    }
    const [a, b] = await Promise.all([
      hashers.hash(join(folder, 'a'), request({ signal: controller.signal, onBytes })),
      hashers.hash(join(folder, 'b'), request()),
    ])
    expect(a).toEqual({ kind: 'cancelled' })
    expect(told).toBeLessThan(CHUNK * 8)
    expect(b.kind).toBe('hashed')
    const stopped = request({ signal: AbortSignal.abort() })
    expect(await hashers.hash(join(folder, 'b'), stopped)).toEqual({ kind: 'cancelled' })
  })

  test('that cannot start or are ended leave a reason for every file', async () => {
    const path = join(await tempFolder(), 'f')
    await writeFile(path, Buffer.alloc(CHUNK * 8))
    const away = threads({ kind: 'file', path: join(await tempFolder(), 'none.js') }, 1)
    expect(await away.hash(path, request())).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringMatching(/the thread that read it failed: .*none\.js/) as string,
    })
    const ended = threads(BUILT, 1)
    const hashing = ended.hash(path, request())
    await ended.close()
    expect(await hashing).toMatchObject({ kind: 'unreadable' })
  })

  test('are half of the cores, one at least, unless a number is asked for', () => {
    expect(defaultHashThreads()).toBe(Math.max(1, Math.floor(availableParallelism() / 2)))
    expect(hashThreads(BUILT, 8).atATime).toBe(8)
    expect(hashThreads(BUILT, 1).atATime).toBe(2)
  })

  test('make the manifests of a scan', async () => {
    const folders = await scanFolders()
    await writeTree(folders.models, { 'A-1B.gguf': gguf({ fill: 'a' }), 'B-1B.gguf': gguf({ fill: 'b' }) })
    const outcomes = await scanInto(folders, { hashers: threads(BUILT, 2) })
    expect(outcomes.map(({ kind }) => kind)).toEqual(['written', 'written'])
    await rm(folders.config, { recursive: true })
    expect((await scanInto(folders)).map(({ kind }) => kind)).toEqual(['same', 'same'])
  })
})
