import { readdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { DEFAULT_SCENARIO } from '../../../shared/scenario/scenario.ts'
import { scenarioToJson } from '../../../shared/scenario/scenario-json.ts'
import { askHost } from '../../support/call-host.ts'
import { writeLab } from '../../support/lab-builder.ts'
import { safetensors, writeSnapshot } from '../../support/model-trees.ts'
import { expect, test as base } from '../../support/planner-fixture.ts'
import { makeHome, type HomeOptions, type PlannerHome } from '../../support/planner-home.ts'
import {
  packProgram,
  startPacked,
  startWithoutNetwork,
  type PackedProgram,
  type RunningPacked,
} from '../../support/real-electron/packed.ts'
import { drag, windowPage } from '../../support/window-page.ts'

/** The packed program, started as it is shipped. */

interface PackedFixtures {
  open: (options?: HomeOptions) => Promise<PlannerHome & RunningPacked>
}

const test = base.extend<PackedFixtures, { packed: PackedProgram }>({
  packed: [
    // The first argument is Playwright's: this fixture needs no other.
    async ({ browserName: _ }, use) => {
      const packed = await packProgram()
      await use(packed)
      await packed.remove()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  open: async ({ packed, display }, use) => {
    const cleanUps: (() => Promise<unknown>)[] = []
    await use(async (options) => {
      const home = await makeHome(options)
      cleanUps.unshift(home.remove)
      const running = await startPacked(packed, home, await display())
      cleanUps.unshift(running.stop)
      return { ...home, ...running }
    })
    for (const cleanUp of cleanUps) await cleanUp()
  },
})

// One worker packs once for all of them.
test.describe.configure({ mode: 'default' })

test('plans the sample lab, suggests with its solver, saves the overlay and exports', async ({ open }) => {
  const { page, labDir } = await open()
  const window = windowPage(page)
  await expect(window.role('coder-daily')).toBeVisible()
  await window.allowTransfer.click()
  await window.policy.getByRole('button', { name: 'Suggest' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suggest a plan' })
  await dialog.getByRole('button', { name: 'Find a plan' }).click()
  await expect(dialog.getByRole('status')).toContainText('Proved: nothing is better.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await window.editorReady()
  await drag(window.chip('hermes'), window.column('Interactive'))
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Overlay saved')).toBeVisible()
  expect(await readFile(join(labDir, 'docs/models/overlay.yaml'), 'utf8')).toContain('hermes: interactive')

  // No dialog can be answered in the packed program: a folder of the open lab is one that the page may name.
  const [recent] = await askHost(page, 'recentLabs', {})
  const { token } = await askHost(page, 'childFolder', { token: recent?.token ?? '', name: 'specs' })
  const request = {
    folder: token,
    what: 'specs' as const,
    format: 'json' as const,
    roles: ['coder-daily'],
    overlayText: '',
    scenario: scenarioToJson(DEFAULT_SCENARIO),
  }
  const preview = await askHost(page, 'previewExport', request)
  const previewed = preview.files.map(({ fileName, found }) => ({ fileName, found }))
  const done = await askHost(page, 'runExport', { request, force: false, previewed })
  expect(done.files).toEqual([{ fileName: 'coder-daily.json', outcome: 'written', reason: null }])
  expect(JSON.parse(await readFile(join(labDir, 'specs/coder-daily.json'), 'utf8'))).toMatchObject({
    role: 'coder-daily',
  })
})

test('scans a model with its native hash', async ({ open, packed }) => {
  const modules = join(packed.folder, 'resources/app.asar.unpacked/node_modules/@napi-rs')
  expect((await readdir(modules, { recursive: true })).filter((name) => name.endsWith('.node'))).toHaveLength(
    1,
  )
  const { page, labDir } = await open({
    lab: async (folder) => {
      await writeLab(folder, {
        roster:
          'roster:\n- {id: coder, role: code, name: Coder, repo: org/Coder-4bit, backend: mlx_lm, ram_gb: 0.2, port: 8081}\n',
      })
      await writeSnapshot(join(folder, '../.cache/huggingface/hub'), 'org/Coder-4bit', 'abc', {
        'model.safetensors': safetensors('mlx', 'one'),
      })
    },
  })
  await page.getByRole('status').getByRole('button', { name: 'Scan this machine…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Scan models and this machine' })
  await dialog.getByRole('button', { name: 'Look for models' }).click()
  await dialog.getByRole('button', { name: /^Scan 1 model/ }).click()
  await expect(dialog.getByRole('status')).toContainText('1 manifest written')
  const manifests = join(labDir, 'docs/models/manifests')
  const [name = ''] = await readdir(manifests)
  expect(await readFile(join(manifests, name), 'utf8')).toMatch(/[0-9a-f]{64}/)
})

test('opens its lab with no network at all', async ({ packed, display }) => {
  test.skip(process.platform !== 'linux', 'an empty network namespace is Linux’s')
  const home = await makeHome()
  const running = startWithoutNetwork(packed, home, await display())
  try {
    await expect
      .poll(() => running.evaluate('document.body?.innerText ?? ""'), { timeout: 30_000 })
      .toContain('coder-daily')
  } finally {
    await running.stop()
    await home.remove()
  }
})

test('holds the built program and its sample lab, no source and no more than it needs', async ({
  packed,
}) => {
  const asar = createRequire(import.meta.url)('@electron/asar') as {
    readonly listPackage: (path: string) => readonly string[]
  }
  const files = asar.listPackage(join(packed.folder, 'resources/app.asar'))
  expect(files.filter((path) => /\.(map|tsx?|md)$/.test(path))).toEqual([])
  // The page, Electron's main, the threads that hash and the solver's; neither the terminal nor the browser's server.
  expect(files.filter((path) => /^\/dist\/host\/[\w-]+\.js$/.test(path)).toSorted()).toEqual([
    '/dist/host/hash-worker.js',
    '/dist/host/main.js',
    '/dist/host/suggest-worker.js',
  ])
  const resources = await readdir(join(packed.folder, 'resources'))
  expect(resources.toSorted()).toEqual(['NOTICES.txt', 'app.asar', 'app.asar.unpacked', 'sample-lab'])
  expect(await readdir(join(packed.folder, 'locales'))).toEqual(['en-US.pak'])
  const { size } = await stat(join(packed.folder, 'resources/app.asar'))
  expect(size).toBeLessThan(16e6)
})

test('has every fuse set as the product wants it', async ({ packed }) => {
  const fuses = await getCurrentFuseWire(packed.program)
  const state = Object.fromEntries(
    Object.entries(FuseV1Options)
      .filter((entry): entry is [string, FuseV1Options] => typeof entry[1] === 'number')
      .map(([name, fuse]) => [name, String.fromCharCode(fuses[fuse] ?? 0)]),
  )
  expect(state).toMatchObject({
    RunAsNode: '0',
    EnableCookieEncryption: '1',
    EnableNodeOptionsEnvironmentVariable: '0',
    EnableNodeCliInspectArguments: '0',
    EnableEmbeddedAsarIntegrityValidation: '1',
    OnlyLoadAppFromAsar: '1',
    LoadBrowserProcessSpecificV8Snapshot: '0',
    GrantFileProtocolExtraPrivileges: '0',
  })
})
