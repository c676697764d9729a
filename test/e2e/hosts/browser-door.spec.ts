import { expect, test } from '@playwright/test'
import { launchServer } from '../../support/browser-host.ts'
import { askHost } from '../../support/call-host.ts'
import { makeHome } from '../../support/planner-home.ts'

test('lets in who has the printed address, and nobody else', async ({ browser }) => {
  const home = await makeHome()
  const server = await launchServer([], home.env)
  const { origin } = new URL(server.url)
  const context = await browser.newContext()
  const page = await context.newPage()

  const stranger = await page.goto(`${origin}/`)
  expect(stranger?.status()).toBe(401)
  expect(await page.locator('body').innerText()).toContain('Open the address that Lab Planner printed')

  await page.goto(server.url)
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  // The token is out of the address, and the page cannot read the cookie that took its place.
  expect(page.url()).toBe(`${origin}/`)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', domain: '127.0.0.1' })
  expect(server.url).not.toContain(cookie?.value)

  await context.close()
  await server.stop()
  await home.remove()
})

test('a page of an earlier run is told so, and a new address lets it in', async ({ browser }) => {
  const home = await makeHome()
  const first = await launchServer([], home.env)
  const { port } = new URL(first.url)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(first.url)
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  await first.stop()
  await expect(page.getByText(/Host lost/).first()).toBeVisible()

  const second = await launchServer(['--port', port], home.env)
  const old = await page.request.get(first.url)
  expect(old.status()).toBe(401)
  await page.goto(second.url)
  await expect(page.getByText('coder-daily').first()).toBeVisible()

  await context.close()
  await second.stop()
  await home.remove()
})

test('two tabs see the same lab and hear of each other’s saves', async ({ browser }) => {
  const home = await makeHome()
  const server = await launchServer([], home.env)
  const context = await browser.newContext()
  const [one, two] = [await context.newPage(), await context.newPage()]
  for (const page of [one, two]) {
    await page.goto(server.url)
    await expect(page.getByText('coder-daily').first()).toBeVisible()
  }
  const base = (await askHost(one, 'currentLab', {}))?.overlay?.hash ?? null
  await askHost(one, 'saveOverlay', { text: 'latency_class:\n  hermes: interactive\n', baseHash: base })
  await expect(two.getByText('1 latency class')).toBeVisible()

  await context.close()
  await server.stop()
  await home.remove()
})

/** Windows has no signals to send. */
const SIGNALS = process.platform === 'win32' ? [] : (['SIGINT', 'SIGTERM'] as const)

for (const signal of SIGNALS) {
  test(`ends cleanly on ${signal} with pages open`, async ({ browser }) => {
    const home = await makeHome()
    const server = await launchServer([], home.env)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(server.url)
    await expect(page.getByText('coder-daily').first()).toBeVisible()
    server.process.kill(signal)
    expect(await server.exited).toBe(0)
    // One line says where it listens, and nothing else is said.
    expect(server.output().trim().split('\n')).toHaveLength(1)
    await context.close()
    await home.remove()
  })
}

test('says which port is taken', async () => {
  const home = await makeHome()
  const first = await launchServer([], home.env)
  const { port } = new URL(first.url)
  await expect(launchServer(['--port', port], home.env)).rejects.toThrow(
    new RegExp(`ended with 3 .*port ${port} cannot be had: name another with --port`, 's'),
  )
  await first.stop()
  await home.remove()
})
