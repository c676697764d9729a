import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../../support/planner-fixture.ts'
import { chooseFolder, windowPage } from '../../support/window-page.ts'

/** In roster order. */
const SPECS = [
  'coder-daily.json',
  'coder-compact.json',
  'coder-small.json',
  'planner.json',
  'hermes.json',
  'swarm-worker.json',
  'swarm-micro.json',
  'voice-llm.json',
]

test('exports all specs, finds them unchanged, and replaces a changed one only on request', async ({
  openPlanner,
}) => {
  const planner = await openPlanner()
  const { page, home } = planner
  const window = windowPage(page)
  const folder = join(home, 'specs')
  const dialog = page.getByRole('dialog', { name: 'Export' })
  const files = dialog.getByRole('list', { name: 'Files' }).getByRole('button')
  const preview = dialog.getByRole('button', { name: 'Preview' })
  await expect(window.role('hermes')).toBeVisible()

  await page.getByRole('button', { name: 'Export specs' }).click()
  await expect(dialog.getByRole('heading', { name: /^Roles \(8 of 8\)/ })).toBeVisible()
  await chooseFolder(planner, 'specs')
  await preview.click()
  await expect(dialog).toContainText('To ~/specs: 8 new.')
  await expect(files).toHaveText(SPECS.map((name) => `${name}new`))
  await files.filter({ hasText: 'hermes' }).click()
  await expect(dialog.getByRole('region', { name: 'Changes of hermes.json' })).toContainText(
    '"infer.llamacpp"',
  )
  await dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(dialog.getByRole('status')).toContainText('8 written in ~/specs')
  expect(new Set(await readdir(folder))).toEqual(new Set(SPECS))
  const hermes = await readFile(join(folder, 'hermes.json'), 'utf8')
  expect(JSON.parse(hermes)).toMatchObject({
    role: 'hermes',
    runtime: 'infer.llamacpp',
    memory: { weights_bytes: 27_500_000_000 },
    latency_class: 'batch',
  })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()

  // The lab's folder is remembered.
  await page.keyboard.press('ControlOrMeta+E')
  await expect(dialog.getByRole('region', { name: 'Folder' })).toContainText('~/specs')
  await preview.click()
  await expect(dialog).toContainText('To ~/specs: 8 the same.')
  await dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(dialog.getByRole('status')).toContainText('8 unchanged in ~/specs')
  await dialog.getByRole('button', { name: 'Done' }).click()

  // A drag that is not saved yet is exported too: it is what is on screen.
  await window.board.getByRole('switch', { name: 'Sticky hermes' }).click()
  await page.keyboard.press('ControlOrMeta+E')
  await chooseFolder(planner, 'specs')
  await preview.click()
  await expect(dialog).toContainText('To ~/specs: 1 changed, 7 the same.')
  await expect(dialog.getByRole('region', { name: 'Changes of hermes.json' })).toContainText(
    '"sticky": false',
  )
  const replace = dialog.getByRole('checkbox', { name: /^Replace the 1 changed file/ })
  await expect(replace).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'hermes.json' })).toContainText(
    'left as it was',
  )
  expect(await readFile(join(folder, 'hermes.json'), 'utf8')).toBe(hermes)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.keyboard.press('ControlOrMeta+E')
  await chooseFolder(planner, 'specs')
  await preview.click()
  await replace.check()
  await dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(dialog.getByRole('status')).toContainText('1 written')
  expect(JSON.parse(await readFile(join(folder, 'hermes.json'), 'utf8'))).toMatchObject({ sticky: false })
})

test('exports chosen roles, names leftover files and leaves them alone', async ({ openPlanner }) => {
  const planner = await openPlanner()
  const { page, home } = planner
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await expect(windowPage(page).role('hermes')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+E')
  await dialog.getByRole('button', { name: 'YAML', exact: true }).click()
  await dialog.getByRole('button', { name: 'None', exact: true }).click()
  await chooseFolder(planner, 'chosen')
  await expect(dialog.getByRole('button', { name: 'Preview' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'hermes' }).check()
  await dialog.getByRole('checkbox', { name: 'planner' }).check()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(dialog.getByRole('status')).toContainText('2 written in ~/chosen')
  expect(await readFile(join(home, 'chosen/hermes.yaml'), 'utf8')).toMatch(/^role: "hermes"\n/)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await writeFile(join(home, 'chosen/notes.txt'), 'mine\n')
  await page.keyboard.press('ControlOrMeta+E')
  await dialog.getByRole('button', { name: 'YAML', exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'planner' }).uncheck()
  await chooseFolder(planner, 'chosen')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog).toContainText('1 leftover (of roles not exported; left alone)')
  await expect(
    dialog.getByRole('list', { name: 'Files' }).getByRole('button', { name: 'planner.yaml' }),
  ).toContainText('leftover')
  await dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(dialog.getByRole('status')).toContainText('written')
  expect(await readdir(join(home, 'chosen'))).toContain('planner.yaml')
  expect(await readFile(join(home, 'chosen/notes.txt'), 'utf8')).toBe('mine\n')
})

test('exports preferences and the plan with the scenario on screen', async ({ openPlanner }) => {
  const planner = await openPlanner()
  const { page, home } = planner
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await windowPage(page).allowTransfer.click()
  const write = async (what: string, folder: string): Promise<string[]> => {
    await page.keyboard.press('ControlOrMeta+E')
    await dialog.getByRole('button', { name: what }).click()
    await chooseFolder(planner, folder)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Write files' }).click()
    await expect(dialog.getByRole('status')).toContainText('written')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
    return readdir(join(home, folder))
  }
  expect(await write('Placement preferences', 'preferences')).toHaveLength(8)
  const [markdown = ''] = await write('Plan as Markdown', 'markdown')
  const told = await readFile(join(home, 'markdown', markdown), 'utf8')
  expect(told).toContain('hermes')
  expect(told).toContain('fetch: gpu-box gets 1 shard(s), 4300009904 bytes, from archive-nas')
  const [json = ''] = await write('Plan as JSON', 'json')
  expect(JSON.stringify(JSON.parse(await readFile(join(home, 'json', json), 'utf8')))).toContain(
    '"bytes":4300009904',
  )
})

test('shows what moves before a run book is exported, then writes it', async ({ openPlanner }) => {
  const planner = await openPlanner()
  const { page, home } = planner
  const window = windowPage(page)
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await expect(window.role('hermes')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+E')
  await dialog.getByRole('button', { name: 'Run book' }).click()
  await expect(dialog).toContainText('Nothing moves: every model is where its roles run.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await window.allowTransfer.click()
  await page.keyboard.press('ControlOrMeta+E')
  await dialog.getByRole('button', { name: 'Run book' }).click()
  const moves = dialog.getByRole('list', { name: 'What moves' }).getByRole('listitem')
  await expect(moves).toHaveText([
    '9.4 GB from archive-nas to mac-mini: Nemotron-9B-OpenCode',
    '11.7 GB from archive-nas to gpu-box: Hermes-4.3-36B, granite-4.0-h-tiny',
  ])
  await chooseFolder(planner, 'book')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog).toContainText('To ~/book: 1 new.')
  await expect(dialog.getByRole('region', { name: 'Changes of RUNBOOK.md' })).toContainText('# Run book')
  await dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(dialog.getByRole('status')).toContainText('1 written in ~/book')
  expect(await readFile(join(home, 'book/RUNBOOK.md'), 'utf8')).toContain('fleet.yaml does not say')
})
