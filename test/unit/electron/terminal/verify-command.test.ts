import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bodyJson, envelopeJson } from '../../../support/manifests.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { cli } from './fake-io.ts'

const hashOf = (text: string): string => bytesToHex(blake3(new TextEncoder().encode(text)))

describe('hash', () => {
  test('prints a line a file as b3sum does, and exits 3 when one cannot be read', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'a b.gguf': 'abc', 'x\\y': '' })
    const run = await cli(['hash', 'a b.gguf', 'x\\y'], { cwd: folder })
    expect(run.out).toBe(`${hashOf('abc')}  a b.gguf\n\\${hashOf('')}  x\\\\y\n`)
    expect(run.code).toBe(0)
    const missing = await cli(['hash', 'gone', 'a b.gguf'], { cwd: folder })
    expect(missing.out).toContain(hashOf('abc'))
    expect(missing.err).toContain('gone: ')
    expect(missing.code).toBe(3)
    expect((await cli(['hash', '--', 'a b.gguf'], { cwd: folder })).code).toBe(0)
  })
})

describe('verify', () => {
  async function lab(): Promise<{
    readonly args: readonly string[]
    readonly root: string
    readonly folder: string
  }> {
    const folder = await tempFolder()
    await cp('examples/sample-lab', folder, { recursive: true })
    const models = join(folder, 'docs/models')
    const body = bodyJson({
      name: 'Model-7B',
      shards: [
        { path: 'a.safetensors', size: 3, blake3: hashOf('abc') },
        { path: 'b.safetensors', size: 1, blake3: hashOf('d') },
      ],
    })
    await rm(join(models, 'registry.json'))
    await mkdir(join(models, 'manifests'))
    await writeFile(join(models, 'manifests/model.json'), JSON.stringify(envelopeJson(body)))
    const root = join(folder, 'models')
    await writeTree(root, { 'Model-7B/a.safetensors': 'abc', 'Model-7B/b.safetensors': 'd' })
    await writeFile(join(models, 'fleet.yaml'), `nodes:\n  - id: mac-mini\n    root: ${root}\n`)
    return { args: ['verify', '--lab', folder], root, folder }
  }

  test('exits 0 when every file has the bytes of its manifest, also by a node of fleet.yaml', async () => {
    const { args, root } = await lab()
    const run = await cli([...args, root])
    expect(run.out).toBe('1 model, 2 files: 2 right, 0 not.\n')
    expect(run.code).toBe(0)
    expect(await cli([...args, '--node', 'mac-mini'])).toMatchObject({ code: 0, out: run.out })
  })

  test('exits 1 and names files that are missing or have other bytes', async () => {
    const { args, root } = await lab()
    await writeFile(join(root, 'Model-7B/a.safetensors'), 'abX')
    await rm(join(root, 'Model-7B/b.safetensors'))
    const run = await cli([...args, root])
    expect(run.out).toContain('wrong  Model-7B: a.safetensors: it has other bytes than the manifest')
    expect(run.out).toContain('missing  Model-7B: b.safetensors')
    expect(run.code).toBe(1)
    await writeFile(join(root, 'Model-7B/a.safetensors'), 'abcd')
    expect((await cli([...args, root])).out).toContain('it has 4 bytes instead of 3')
  })

  test('misses a model only where it must be there', async () => {
    const { args, root } = await lab()
    await rm(join(root, 'Model-7B'), { recursive: true })
    expect(await cli([...args, root])).toMatchObject({ code: 0 })
    expect(await cli([...args, root, '--model', 'Model-7B'])).toMatchObject({ code: 1 })
  })

  test('exits 3 for folders that are not there and models without a manifest, 64 without folders', async () => {
    const { args, root, folder } = await lab()
    expect(await cli([...args, join(folder, 'gone')])).toMatchObject({ code: 3 })
    expect(await cli([...args, root, '--model', 'Nothing'])).toMatchObject({ code: 3 })
    expect(await cli([...args, '--node', 'gpu-box'])).toMatchObject({ code: 3 })
    expect(await cli(args)).toMatchObject({ code: 64 })
  })
})
