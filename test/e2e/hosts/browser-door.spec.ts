import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { launchServer } from '../../support/browser-host.ts'
import { askHost } from '../../support/call-host.ts'
import { makeHome, SAMPLE_LAB } from '../../support/planner-home.ts'
import { windowPage } from '../../support/window-page.ts'

test('lets in the printed address and no other, and keeps no key where other programs get it', async ({
  browser,
}) => {
  const home = await makeHome()
  const server = await launchServer([], home.env)
  const { origin, hash } = new URL(server.url)
  const context = await browser.newContext()
  const page = await context.newPage()

  await page.goto(`${origin}/`)
  await expect(page.getByText('This page has no key to Lab Planner')).toBeVisible()
  await expect(page.getByText('Open the address that Lab Planner printed').first()).toBeVisible()
  await expect(page.getByText('coder-daily')).toHaveCount(0)

  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await page.goto(server.url)
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  // The key is out of the address, in no cookie and in no request's address.
  expect(page.url()).toBe(`${origin}/`)
  expect(await context.cookies()).toEqual([])
  expect(sent.join(' ')).not.toContain(hash.slice('#key='.length))
  // A second tab and a reload need no address of their own.
  const second = await context.newPage()
  await second.goto(origin)
  await expect(second.getByText('coder-daily').first()).toBeVisible()

  await context.close()
  await server.stop()
  await home.remove()
})

test('a page of an earlier run keeps its unsaved text, says what to do, and goes on when a new address is opened', async ({
  browser,
}) => {
  const home = await makeHome()
  const first = await launchServer([], home.env)
  const { port } = new URL(first.url)
  const context = await browser.newContext()
  const page = await context.newPage()
  const window = windowPage(page)
  await page.goto(first.url)
  await window.editorReady()
  await window.yaml.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('# mine')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await first.stop()
  await expect(page.getByText('Host lost, reconnecting…')).toBeVisible()
  await window.save.click()
  await expect(window.messages).toContainText('Not saved: Lab Planner is not answering.')

  const second = await launchServer(['--port', port], home.env)
  const banner = page.getByRole('alert').filter({ hasText: 'this page has no key to it' })
  await expect(banner).toContainText('Your unsaved overlay is kept here.')
  const downloading = page.waitForEvent('download')
  await banner.getByRole('button', { name: 'Save it as a file…' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('overlay.yaml')
  expect(await readFile(await download.path(), 'utf8')).toContain('# mine')
  await window.save.click()
  await expect(window.messages).toContainText('Not saved: this page has no key')

  const other = await context.newPage()
  await other.goto(second.url)
  await expect(other.getByText('coder-daily').first()).toBeVisible()
  await expect(banner).toBeHidden()
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  // The new host counts its readings from one: the page follows them all the same.
  const roster = join(home.labDir, 'docs/models/queue.yaml')
  await writeFile(roster, (await readFile(roster, 'utf8')).replaceAll('coder-daily', 'coder-nightly'))
  await expect(window.role('coder-nightly')).toBeVisible()
  await window.save.click()
  await expect(page.getByText('Overlay saved')).toBeVisible()
  expect(await readFile(join(home.labDir, 'docs/models/overlay.yaml'), 'utf8')).toContain('# mine')

  await context.close()
  await second.stop()
  await home.remove()
})

test('a page with unsaved text of one lab does not give way to another lab', async ({ browser }) => {
  const home = await makeHome()
  const first = await launchServer([], home.env)
  const { port } = new URL(first.url)
  const context = await browser.newContext()
  const page = await context.newPage()
  const window = windowPage(page)
  await page.goto(first.url)
  await window.editorReady()
  await window.yaml.focus()
  await page.keyboard.type('# mine')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await first.stop()
  const second = await launchServer(['--port', port, '--lab', SAMPLE_LAB], home.env)
  const other = await context.newPage()
  await other.goto(second.url)
  const banner = page.getByRole('alert').filter({ hasText: 'started again with another lab' })
  await expect(banner).toBeVisible()
  await expect(window.overlay).toContainText('# mine')
  await banner.getByRole('button', { name: 'Discard it and show the other lab' }).click()
  await expect(banner).toBeHidden()
  await expect(window.overlay).not.toContainText('# mine')

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
