import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { builtinModules, createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { DebugLogger } from 'builder-util'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { installedFiles } from '../../electron/installed-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

interface Config {
  readonly files: readonly string[]
  readonly asar: boolean
  readonly electronVersion: string
  readonly mac: { readonly target: readonly string[] }
  readonly win: { readonly target: string }
  readonly linux: { readonly target: readonly string[] }
}

let config: Config
beforeAll(async () => {
  config = parse(await readFile(join(ROOT, 'electron-builder.yml'), 'utf8')) as Config
})

/**
 * What electron-builder asks of Electron's own files, and the mark by which fuses are found in the binary.
 */
async function standInElectron(): Promise<string> {
  const folder = await tempFolder()
  const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
  const wire = Buffer.from([1, 8, ...Buffer.from('1'.repeat(8))])
  await writeFile(join(folder, 'electron'), Buffer.concat([Buffer.from(`no program ${sentinel}`), wire]))
  await chmod(join(folder, 'electron'), 0o755)
  await writeFile(join(folder, 'version'), config.electronVersion)
  await mkdir(join(folder, 'locales'))
  for (const locale of ['de', 'en-US']) await writeFile(join(folder, 'locales', `${locale}.pak`), '')
  return folder
}

describe('electron-builder.yml', () => {
  test('is a configuration that electron-builder accepts', async () => {
    await validateConfiguration(structuredClone(config) as never, new DebugLogger(false))
    const wrong = { ...structuredClone(config), asarr: true }
    await expect(validateConfiguration(wrong as never, new DebugLogger(false))).rejects.toThrow('asarr')
  })

  test('builds for all three systems, with the Electron that is installed', async () => {
    expect(config.mac.target).toEqual(['dmg', 'zip'])
    expect(config.win.target).toBe('nsis')
    expect(config.linux.target).toEqual(['AppImage', 'deb'])
    const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >
    expect(config.electronVersion).toBe(manifest['devDependencies']?.['electron'])
  })

  test('packs the built program, its sample lab and nothing else, with the fuses set', async () => {
    const output = await tempFolder()
    const cli = join(ROOT, 'node_modules/electron-builder/cli.js')
    const settings = [`-c.electronDist=${await standInElectron()}`, `-c.directories.output=${output}`]
    await run(process.execPath, [cli, '--linux', 'dir', '--publish', 'never', ...settings], { cwd: ROOT })

    const packed = join(output, 'linux-unpacked')
    const asar = createRequire(import.meta.url)('@electron/asar') as {
      listPackage: (path: string) => string[]
    }
    const files = asar
      .listPackage(join(packed, 'resources/app.asar'))
      .map((path) => path.replaceAll('\\', '/'))
    for (const file of [
      '/package.json',
      '/dist/host/main.js',
      '/dist/preload/preload.cjs',
      '/dist/renderer/index.html',
    ]) {
      expect(files).toContain(file)
    }
    const isWanted = /^\/(dist|dist\/(agent|host|preload|renderer)(\/.*)?|package\.json)$/
    // The native hash is the one module that cannot be bundled.
    const isNative = /^\/node_modules(\/@napi-rs(\/blake-hash(-[\w-]+)?(\/.*)?)?)?$/
    expect(files.filter((file) => !isWanted.test(file) && !isNative.test(file))).toEqual([])
    expect(files.filter((file) => /\.tsx?$|\.test\.|\.map$/.test(file))).toEqual([])
    const unpacked = await readdir(join(packed, 'resources/app.asar.unpacked'), { recursive: true })
    expect(unpacked.filter((name) => name.endsWith('.node'))).toHaveLength(1)
    const installed = installedFiles(join(ROOT, 'dist/host'), join(packed, 'resources'))
    expect(await readFile(installed.notices, 'utf8')).toContain('react')
    expect(await readdir(join(packed, 'locales'))).toEqual(['en-US.pak'])
    const sample = await readdir(join(packed, 'resources/sample-lab/docs/models'))
    expect(sample.toSorted()).toEqual(['nodes', 'overlay.yaml', 'queue.yaml', 'registry.json'])

    const fuses = await getCurrentFuseWire(join(packed, 'lab-planner'))
    const state = (fuse: FuseV1Options) => String.fromCharCode(fuses[fuse] ?? 0)
    expect({
      runAsNode: state(FuseV1Options.RunAsNode),
      nodeOptions: state(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: state(FuseV1Options.EnableNodeCliInspectArguments),
      onlyAsar: state(FuseV1Options.OnlyLoadAppFromAsar),
      integrity: state(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      cookies: state(FuseV1Options.EnableCookieEncryption),
    }).toEqual({
      runAsNode: '0',
      nodeOptions: '0',
      inspect: '0',
      onlyAsar: '1',
      integrity: '1',
      cookies: '1',
    })
  }, 120_000)
})

test('the built host needs no module but Electron, Node’s own and the native hash', async () => {
  const host = join(ROOT, 'dist/host')
  const own = new Set([
    ...builtinModules,
    ...builtinModules.map((name) => `node:${name}`),
    'electron',
    '@napi-rs/blake-hash',
  ])
  const entries = await readdir(host, { recursive: true })
  const scripts = entries.filter((name) => name.endsWith('.js'))
  expect(scripts).toContain('main.js')
  const foreign: string[] = []
  for (const name of scripts) {
    const text = await readFile(join(host, name), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export)\b[^'"\n]*\bfrom ["']([^"']+)["']/gm)) {
      if (!specifier.startsWith('.') && !own.has(specifier)) foreign.push(`${name}: ${specifier}`)
    }
  }
  expect(foreign).toEqual([])
})
