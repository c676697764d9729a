import { HOST_CALLS, type HostClient } from '../../../shared/host-api.ts'
import { expect, test, windowFacts } from '../../support/real-electron/desktop-test.ts'

/** What the page cannot do on a real Electron, whatever script runs in it. */

test('gives the page the contract and nothing else, frozen, in the sandbox', async ({ start }) => {
  const { page, electron } = await start()
  const seen = await page.evaluate(() => {
    const bridge = (window as unknown as { labPlanner: HostClient }).labPlanner
    const call = bridge.call as unknown as Readonly<Record<string, unknown>>
    return {
      keys: Object.keys(bridge),
      calls: Object.keys(bridge.call),
      isFrozen: Object.isFrozen(bridge) && Object.isFrozen(bridge.call),
      outside: ['send', 'invoke', 'planner:other', '__proto__.send'].filter((name) => call[name]),
      node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter(
        (name) => name in window,
      ),
    }
  })
  expect(seen).toEqual({
    keys: ['call', 'on'],
    calls: Object.keys(HOST_CALLS),
    isFrozen: true,
    outside: [],
    node: [],
  })
  const processes = await electron.evaluate(({ app }) =>
    app.getAppMetrics().map(({ type, sandboxed }) => ({ type, sandboxed })),
  )
  const pages = processes.filter(({ type }) => type === 'Tab')
  expect(pages.length).toBeGreaterThan(0)
  // Linux does not report it; what the kernel says of the page's process is looked at instead.
  if (process.platform !== 'linux') expect(pages.every(({ sandboxed }) => sandboxed)).toBe(true)
})

test('the page’s process is confined by the kernel', async ({ start }) => {
  test.skip(process.platform !== 'linux', 'Linux says how a process is confined in /proc')
  const { electron } = await start()
  const status = await electron.evaluate(async ({ BrowserWindow }) => {
    const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId()
    const { readFileSync } = process.getBuiltinModule('node:fs')
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  })
  // A filter of system calls, and no way to gain privileges.
  expect(status).toMatch(/^Seccomp:\s+2$/m)
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  expect(status).not.toMatch(/^Uid:\s+0\s/m)
})

test('stays where it is: no navigation, no windows, and no address is handed to the system', async ({
  start,
}) => {
  const { page, electron } = await start()
  await electron.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { openedOutside: opened })
    shell.openExternal = (url) => {
      opened.push(url)
      return Promise.resolve()
    }
  })
  const openedOutside = () =>
    electron.evaluate(() => (globalThis as unknown as { openedOutside: string[] }).openedOutside)
  const before = page.url()
  const go = (url: string) => page.evaluate((target) => void (location.href = target), url)
  await go('https://example.org/docs')
  await go('https://user:secret@example.org/')
  await go('http://example.org/')
  await go('file:///etc/passwd')
  const opened = await page.evaluate(() => window.open('https://example.org/popup') === null)
  expect(opened).toBe(true)
  expect(await openedOutside()).toEqual([])
  expect(page.url()).toBe(before)
  expect((await windowFacts({ electron })).count).toBe(1)
  // Asked in the page: the driver waits for navigations that were refused.
  expect(await page.evaluate(() => document.body.innerText)).toContain('coder-daily')
})

test('reads no file of the machine, and nothing outside the page’s folder', async ({ start }) => {
  const { page } = await start()
  const answers = await page.evaluate(async () => {
    const status = async (url: string) =>
      fetch(url).then(
        (response) => response.status,
        () => 'refused',
      )
    return Promise.all(
      [
        '/',
        'file:///etc/passwd',
        '/../package.json',
        '/%2e%2e/package.json',
        '/..%2fpackage.json',
        '/.x',
      ].map(status),
    )
  })
  expect(answers).toEqual([200, 'refused', 404, 404, 404, 404])
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'))
  expect(policy).toContain("default-src 'none'")
  const didRun = await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.ranInline = true'
    document.head.append(script)
    return 'ranInline' in window
  })
  expect(didRun).toBe(false)
  const framed = await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.src = 'file:///etc/passwd'
    document.body.append(frame)
    return 'labPlanner' in (frame.contentWindow ?? {})
  })
  expect(framed).toBe(false)
})
