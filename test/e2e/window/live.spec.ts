import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../../support/planner-fixture.ts'
import { chooseFolder, windowPage } from '../../support/window-page.ts'

test('asks the lab’s servers only while watching, and shows what each role does now', async ({
  openPlanner,
}) => {
  const asked: string[] = []
  let model = 'hermes'
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`)
    const isList = request.url === '/v1/models'
    const body = isList ? { data: [{ id: model, owned_by: 'vllm', max_model_len: 8192 }] } : {}
    response.writeHead(isList ? 200 : 404).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await window.allowTransfer.click()
  await writeFile(
    join(labDir, 'docs/models/fleet.yaml'),
    `nodes: [{id: gpu-box, url: "http://127.0.0.1:${port}", link_mbps: 1000}]\n`,
  )

  await window.run('Watch what runs now')
  const dialog = page.getByRole('dialog', { name: 'What runs now' })
  await expect(dialog).toContainText('Off: nothing is asked.')
  expect(asked).toEqual([])
  await dialog.getByRole('switch', { name: 'Watch' }).click()
  const row = (role: string) =>
    dialog.getByRole('row').filter({ has: page.getByRole('rowheader', { name: role, exact: true }) })
  await expect(row('hermes').getByRole('cell').first()).toHaveText('as planned')
  await expect(row('hermes')).toContainText('context 8,192')
  expect(asked.every((request) => request.startsWith('GET /'))).toBe(true)
  await page.keyboard.press('Escape')
  const status = page.getByRole('contentinfo').getByRole('button', { name: /as planned/ })
  await expect(status).toBeVisible()

  model = 'someone-else'
  await status.click()
  await expect(row('hermes').getByRole('cell').first()).toHaveText('not running', { timeout: 30_000 })
  await expect(row('hermes').getByRole('img')).toHaveAttribute(
    'aria-label',
    /as planned from .*, not running from/,
  )
  await dialog.getByRole('switch', { name: 'Watch' }).click()
  await expect(dialog).toContainText('Not watching')
  await expect(status).toBeHidden()
  server.close()
})

test('adopts what runs as a scenario that can be compared and undone', async ({ openPlanner }) => {
  const server = createServer((request, response) => {
    const isList = request.url === '/v1/models'
    const body = isList ? { data: [{ id: 'voice-llm', owned_by: 'vllm' }] } : {}
    response.writeHead(isList ? 200 : 404).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const planner = await openPlanner()
  const { page, labDir } = planner
  const window = windowPage(page)
  await writeFile(
    join(labDir, 'docs/models/fleet.yaml'),
    `nodes: [{id: mac-studio, url: "http://127.0.0.1:${port}"}]\n`,
  )
  await window.role('voice-llm').click()
  await window.run('Watch what runs now')
  const dialog = page.getByRole('dialog', { name: 'What runs now' })
  await dialog.getByRole('switch', { name: 'Watch' }).click()
  const row = dialog.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'voice-llm' }) })
  await expect(row.getByRole('cell').first()).toHaveText('elsewhere')
  // The run book begins with what was seen.
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+E')
  const book = page.getByRole('dialog', { name: 'Export' })
  await book.getByRole('button', { name: 'Run book' }).click()
  await chooseFolder(planner, 'book')
  await book.getByRole('button', { name: 'Preview' }).click()
  await expect(book.getByRole('region', { name: 'Changes of RUNBOOK.md' })).toContainText(
    'Stop voice-llm on mac-studio: it runs on gpu-box now.',
  )
  await page.keyboard.press('Escape')
  await expect(book).toBeHidden()
  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: /as planned/ })
    .click()
  await dialog.getByRole('button', { name: 'Adopt what runs as a scenario' }).click()
  await expect(dialog).toBeHidden()
  await expect(window.policy).toContainText('voice-llm pinned to mac-studio')
  await page.keyboard.press('Alt+Z')
  await expect(window.policy).not.toContainText('voice-llm pinned')
  server.close()
})

test('gives a role the memory back that its server holds, and says in every view what it does now', async ({
  openPlanner,
}) => {
  const data = [{ id: 'voice-llm', owned_by: 'llamacpp', meta: { size: 1_000_000_000 } }]
  const server = createServer((request, response) => {
    const isList = request.url === '/v1/models'
    response.writeHead(isList ? 200 : 404).end(JSON.stringify(isList ? { data } : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  const facts = join(labDir, 'docs/models/nodes/gpu-box.json')
  const text = await readFile(facts, 'utf8')
  await writeFile(facts, text.replace('44000000000', '1000000000'))
  await writeFile(
    join(labDir, 'docs/models/fleet.yaml'),
    `nodes: [{id: gpu-box, url: "http://127.0.0.1:${port}"}]\n`,
  )
  await window.role('voice-llm').click()
  await expect(window.verdict).toContainText('cannot run')

  await window.run('Watch what runs now')
  await page.getByRole('switch', { name: 'Watch' }).click()
  await page.keyboard.press('Escape')
  await expect(window.verdict).toContainText('gpu-box')
  await expect(window.explanation).toContainText('1.0 GB free + 2.0 GB held by voice-llm itself')
  await expect(window.role('voice-llm')).toContainText('as planned')

  await page.keyboard.press('Alt+2')
  const lab = page.getByRole('grid', { name: 'Lab matrix' })
  await expect(lab.getByRole('columnheader', { name: 'Now' })).toBeVisible()
  await expect(lab.getByRole('row').filter({ hasText: 'voice-llm' })).toContainText('as planned')
  await page.keyboard.press('Alt+3')
  const nodes = page.getByRole('grid', { name: 'Nodes' })
  const row = nodes.getByRole('row').filter({ hasText: 'gpu-box' })
  await expect(row).toContainText('at least 1.0 GB')
  await expect(row).toContainText('1 model loaded')

  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: /as planned/ })
    .click()
  await page.getByRole('switch', { name: 'Watch' }).click()
  await page.keyboard.press('Escape')
  await expect(window.role('voice-llm')).not.toContainText('as planned')
  await expect(window.verdict).toContainText('cannot run')
  server.close()
})

test('says what to add where no node may be asked', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  await windowPage(page).role('hermes').click()
  await windowPage(page).run('Watch what runs now')
  await page.getByRole('dialog', { name: 'What runs now' }).getByRole('switch', { name: 'Watch' }).click()
  await expect(windowPage(page).messages).toContainText('add url: http://HOST:PORT')
})
