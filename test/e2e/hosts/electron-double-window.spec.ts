import { readFile, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { expect, test as base, type Page } from '@playwright/test'
import { HOST_CALLS, type HostClient } from '../../../shared/host-api.ts'
import { askHost, callHost } from '../../support/call-host.ts'
import { launchDouble, type RunningDouble } from '../../support/electron-double/launch.ts'
import { windowPage } from '../../support/window-page.ts'
import { makeHome, SAMPLE_LAB, type HomeOptions, type PlannerHome } from '../../support/planner-home.ts'

/** What only Electron has: a menu, dialogs, a second launch, a window that is asked before it closes. */
interface Started extends PlannerHome {
  readonly double: RunningDouble
  readonly page: Page
}

const test = base.extend<{
  start: (options?: HomeOptions & { args?: readonly string[] }) => Promise<Started>
}>({
  // The first argument is Playwright's: this fixture needs no other.
  start: async ({ browserName: _ }, use) => {
    const cleanUps: (() => Promise<unknown>)[] = []
    await use(async ({ args = [], ...options } = {}) => {
      const home = await makeHome(options)
      const double = launchDouble(args, home.env)
      cleanUps.push(double.stop, home.remove)
      const page = await double.page()
      await expect(page.getByText('coder-daily').first()).toBeVisible()
      return { ...home, double, page }
    })
    for (const cleanUp of cleanUps) await cleanUp()
  },
})

test('gives the page the contract and nothing else, frozen', async ({ start }) => {
  const { page, double } = await start()
  const seen = await page.evaluate(() => {
    const bridge = (window as unknown as { labPlanner: HostClient }).labPlanner
    return {
      keys: Object.keys(bridge),
      calls: Object.keys(bridge.call),
      frozen: Object.isFrozen(bridge) && Object.isFrozen(bridge.call),
      node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter(
        (name) => name in window,
      ),
    }
  })
  expect(seen).toEqual({ keys: ['call', 'on'], calls: Object.keys(HOST_CALLS), frozen: true, node: [] })
  const { windows } = await double.state()
  expect(windows[0]?.webPreferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
  })
})

test('serves the page under its policy, and nothing outside the page’s folder', async ({ start }) => {
  const { page } = await start()
  const answers = await page.evaluate(async () => {
    const paths = [
      '/',
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/assets/',
      '/.hidden',
      '/C:/x.js',
    ]
    return Promise.all(
      paths.map(async (path) => {
        const response = await fetch(path)
        return [path, response.status, response.headers.get('content-security-policy')?.slice(0, 18)]
      }),
    )
  })
  const policy = "default-src 'none'"
  expect(answers[0]).toEqual(['/', 200, policy])
  expect(answers.slice(1).map(([, status]) => status)).toEqual([404, 404, 404, 404, 404, 404])
  const eval_ = await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.ranInline = true'
    document.head.append(script)
    return 'ranInline' in window
  })
  expect(eval_).toBe(false)
})

test('stays where it is: no navigation, no windows, and no address is handed to the system', async ({
  start,
}) => {
  const { page, double } = await start()
  const before = page.url()
  const go = (url: string) => page.evaluate((target) => void (location.href = target), url)
  await go('https://example.org/docs')
  await go('https://user:secret@example.org/')
  await go('http://example.org/')
  await go('file:///etc/passwd')
  await page.evaluate(() => void window.open('https://example.org/popup'))
  // The page answers after all of that was asked for, so that a call to the system would have been made.
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  expect((await double.state()).openedOutside).toEqual([])
  expect(page.url()).toBe(before)
})

test('answers no frame but its own top one', async ({ start }) => {
  const { page, double } = await start()
  type Ipc = (kind: string, channel: string, args: unknown[]) => Promise<unknown>
  const framed = await page.evaluate(async () => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    // As from a frame that was taken over: past the preload, by Electron's own channel.
    const inner = frame.contentWindow as unknown as { electronDoubleIpc: Ipc; labPlanner?: unknown }
    return [
      inner.labPlanner ?? null,
      await inner.electronDoubleIpc('invoke', 'planner:call', ['currentLab', {}]),
    ]
  })
  expect(framed).toEqual([
    null,
    { ok: false, error: expect.objectContaining({ code: 'refused' }) as unknown },
  ])
  const other = await page.evaluate(() =>
    (window as unknown as { electronDoubleIpc: Ipc })
      .electronDoubleIpc('invoke', 'planner:other', [])
      .catch(String),
  )
  expect(other).toContain('No handler registered')
  // The host is as well as before.
  expect(await askHost(page, 'hostInfo', {})).toMatchObject({ kind: 'electron', nativeDialogs: true })
  expect((await double.state()).windows).toHaveLength(1)
})

test('denies permissions, all but writing to the clipboard from its own page', async ({ start }) => {
  const { double } = await start()
  const own = 'app://lab-planner/'
  const ask = (name: string, url: string) => double.ask({ ask: 'permission', name, url })
  for (const name of [
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'openExternal',
    'fullscreen',
  ]) {
    expect(await ask(name, own), name).toBe(false)
  }
  expect(await ask('clipboard-sanitized-write', own)).toBe(true)
  expect(await ask('clipboard-sanitized-write', 'https://example.org/')).toBe(false)
})

test('the menu sends commands, lists recent labs and changes the zoom', async ({ start }) => {
  const { page, double } = await start()
  await double.ask({ ask: 'answerPick', path: SAMPLE_LAB })
  const picked = await askHost(page, 'pickFolder', { purpose: 'open_lab' })
  expect(picked).toMatchObject({ label: SAMPLE_LAB })
  await askHost(page, 'openLab', { by: 'token', token: picked?.token ?? '' })
  const { menu } = await double.state()
  const file = menu.find(({ label }) => label === '&File')
  const recent = file?.items.find(({ label }) => label === 'Open Recent')
  expect(recent?.items.map(({ label }) => label)).toContain(SAMPLE_LAB)
  expect(file?.items.find(({ label }) => label === 'Save Overlay')?.accelerator).toBe('CmdOrCtrl+S')

  await double.ask({ ask: 'clickMenu', label: 'Keyboard Shortcuts' })
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await double.ask({ ask: 'clickMenu', label: 'Zoom In' })
  await expect.poll(async () => (await askHost(page, 'settings', {})).zoom).toBe(1.1)
  await double.ask({ ask: 'clickMenu', label: 'Actual Size' })
  await expect.poll(async () => (await askHost(page, 'settings', {})).zoom).toBe(1)

  // A recent lab is asked for in the page, which knows whether something is unsaved.
  await askHost(page, 'openLab', { by: 'sample' })
  await double.ask({ ask: 'clickMenu', label: SAMPLE_LAB })
  await expect.poll(async () => (await askHost(page, 'currentLab', {}))?.origin).toBe('picked')
  await double.ask({ ask: 'clickMenu', label: 'Clear Recent' })
  await expect.poll(async () => askHost(page, 'recentLabs', {})).toEqual([])
})

test('a cancelled dialog is no choice, and a picked file is read by its token only', async ({ start }) => {
  const { page, double, home } = await start()
  expect(await askHost(page, 'pickFile', { purpose: 'open_scenario' })).toBeNull()
  const path = join(home, 'scenario.json')
  await writeFile(path, '{"a": 1}')
  await double.ask({ ask: 'answerPick', path })
  const picked = await askHost(page, 'pickFile', { purpose: 'open_scenario' })
  expect(picked?.label).toBe(['~', 'scenario.json'].join(sep))
  expect(await askHost(page, 'readPicked', { token: picked?.token ?? '' })).toEqual({ text: '{"a": 1}' })
  expect(await callHost(page, 'readPicked', { token: path })).toMatchObject({
    error: { code: 'unknown_token' },
  })
  await askHost(page, 'reveal', { what: 'token', token: picked?.token ?? '' })
  expect((await double.state()).revealed).toEqual([path])
})

test('a second launch hands its lab to the first window and ends', async ({ start }) => {
  const { page, double, env } = await start()
  const second = launchDouble(['--lab', SAMPLE_LAB], env)
  expect(await second.exited).toBe(0)
  await expect.poll(async () => (await askHost(page, 'currentLab', {}))?.lab.name).toBe(SAMPLE_LAB)
  const { windows } = await double.state()
  expect(windows).toHaveLength(1)
  expect(windows[0]?.focusCount).toBe(1)
})

test('opens the roster file it is launched with', async ({ start }) => {
  const { page } = await start({ lab: 'none', args: [join(SAMPLE_LAB, 'docs/models/queue.yaml')] })
  const snapshot = await askHost(page, 'currentLab', {})
  expect(snapshot).toMatchObject({ origin: 'argument', lab: { name: SAMPLE_LAB } })
})

test('opens a dropped folder, and nothing that script made up', async ({ start }) => {
  const { page } = await start()
  const drop = (name: string) =>
    page.evaluate((fileName) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], fileName))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, name)
  await drop('queue.yaml')
  await drop(SAMPLE_LAB)
  await expect.poll(async () => (await askHost(page, 'currentLab', {}))?.lab.name).toBe(SAMPLE_LAB)
})

test('asks before closing with unsaved edits, and closes when they are given up', async ({ start }) => {
  const { page, double, labDir } = await start()
  const overlay = await readFile(join(labDir, 'docs/models/overlay.yaml'), 'utf8')
  await windowPage(page).replaceYaml('sticky: {}\n')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await double.ask({ ask: 'quit' })
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect(double.process.exitCode).toBeNull()

  await double.ask({ ask: 'quit' })
  await question.getByRole('button', { name: 'Discard' }).click()
  expect(await double.exited).toBe(0)
  expect(await readFile(join(labDir, 'docs/models/overlay.yaml'), 'utf8')).toBe(overlay)
})

test('closes at once when the page has nothing unsaved after all', async ({ start }) => {
  const { page, double } = await start()
  await askHost(page, 'setUnsaved', { unsaved: true })
  await double.ask({ ask: 'quit' })
  expect(await double.exited).toBe(0)
})

test('restores the window where it was, if that can still be seen', async ({ start }) => {
  const place = { x: 1700, y: 100, width: 1000, height: 700, maximized: true }
  const { double, configDir } = await start({ settings: { window: place } })
  const { maximized, ...bounds } = place
  await expect
    .poll(async () => (await double.state()).windows[0])
    .toMatchObject({ bounds, isMaximized: maximized, isShown: true })
  await double.ask({ ask: 'quit' })
  await double.exited
  expect(JSON.parse(await readFile(join(configDir, 'settings.json'), 'utf8'))).toMatchObject({
    window: place,
  })
})

test('brings a window from a display that is gone back to the main one', async ({ start }) => {
  const { double } = await start({
    settings: { window: { x: 9000, y: 9000, width: 1000, height: 700, maximized: false } },
  })
  const { windows } = await double.state()
  expect(windows[0]?.bounds).toEqual({ x: 300, y: 163, width: 1000, height: 700 })
})
