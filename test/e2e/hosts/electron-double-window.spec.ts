import { readFile, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { expect, test as base, type Page } from '@playwright/test'
import { DEFAULT_SCENARIO } from '../../../shared/scenario/scenario.ts'
import { scenarioFileText } from '../../../shared/scenario/scenario-file.ts'
import { askHost, callHost } from '../../support/call-host.ts'
import { launchDouble, type RunningDouble } from '../../support/electron-double/launch.ts'
import { makeHome, type HomeOptions, type PlannerHome } from '../../support/planner-home.ts'

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

test('a cancelled dialog is no choice, and a picked file is read by its token only', async ({ start }) => {
  const { page, double, home } = await start()
  expect(await askHost(page, 'pickFile', { purpose: 'open_scenario' })).toBeNull()
  const path = join(home, 'scenario.json')
  const text = scenarioFileText(DEFAULT_SCENARIO)
  await writeFile(path, text)
  await double.ask({ ask: 'answerPick', path })
  const picked = await askHost(page, 'pickFile', { purpose: 'open_scenario' })
  expect(picked?.label).toBe(['~', 'scenario.json'].join(sep))
  expect(await askHost(page, 'readPicked', { token: picked?.token ?? '' })).toEqual({ text })
  expect(await callHost(page, 'readPicked', { token: path })).toMatchObject({
    error: { code: 'unknown_token' },
  })
  await askHost(page, 'reveal', { what: 'token', token: picked?.token ?? '' })
  expect((await double.state()).revealed).toEqual([path])
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
  await expect
    .poll(async () => (await double.state()).windows[0]?.bounds)
    .toEqual({ x: 300, y: 163, width: 1000, height: 700 })
})
