import { open, readFile, readdir, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { writeLab } from '../../support/lab-builder.ts'
import { safetensors, writeModels, writeSnapshot } from '../../support/model-trees.ts'
import { expect, test, type OpenedPlanner, type OpenOptions } from '../../support/planner-fixture.ts'
import { runTerminal } from '../../support/run-terminal.ts'
import { writeTree } from '../../support/temp-folder.ts'
import { ggufOf } from '../../support/weight-files.ts'
import { windowPage } from '../../support/window-page.ts'

const ROSTER = `roster:
- {id: coder, role: code, name: Coder-80B, repo: org/Coder-4bit, backend: mlx_lm, ram_gb: 0.2, port: 8081}
- {id: chat, role: talk, name: Hermes, repo: org/Hermes-GGUF, backend: llamacpp, ram_gb: 0.1, port: 8090}
`
const WEIGHTS = 'models/org/Hermes-GGUF/hermes-Q5.gguf'

/** A lab of a roster and nothing else, two models and one that no role needs, and what can run them. */
const ONLY_DISKS: OpenOptions = {
  programs: { 'llama-server': 'echo "version: 6527 (7f76692)" >&2', 'mlx_lm.server': 'echo 0.28.2' },
  lab: async (labDir) => {
    const home = join(labDir, '..')
    await writeLab(labDir, { roster: ROSTER })
    await writeModels(home, { [WEIGHTS]: 'hermes', 'models/org/Other-GGUF/other.gguf': 'nobody asked' })
    await writeTree(home, { 'models/org/Torch/pytorch_model.bin': 'x' })
    await writeSnapshot(join(home, '.cache/huggingface/hub'), 'org/Coder-4bit', 'abc', {
      'model-00001-of-00002.safetensors': safetensors('mlx', 'one'),
      'model-00002-of-00002.safetensors': safetensors('mlx', 'two'),
      'tokenizer.json': '{}',
    })
  },
}

function scanDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Scan models and this machine' })
  const button = (name: string | RegExp) => dialog.getByRole('button', { name })
  return {
    dialog,
    button,
    found: dialog.getByRole('list', { name: 'Found models' }).getByRole('listitem'),
    scanned: dialog.getByRole('list', { name: 'Models being scanned' }).getByRole('listitem'),
    tick: (name: string) => dialog.getByRole('checkbox', { name: `Scan ${name}`, exact: true }),
  }
}

/** The way to scan that a lab without manifests or nodes offers. */
function banner(page: Page): Locator {
  return page.getByRole('status').getByRole('button', { name: 'Scan this machine…' })
}

/** Scans what roles need, from the banner on. */
async function scanWhatRolesNeed({ page }: OpenedPlanner): Promise<void> {
  const { dialog, button } = scanDialog(page)
  await banner(page).click()
  await button('Look for models').click()
  await button(/^Scan 2 models/).click()
  await expect(dialog.getByRole('status')).toContainText(
    '2 manifests written, this machine’s facts written as ',
  )
  await button('Done').click()
  await expect(dialog).toBeHidden()
}

test('makes a lab of a roster and its disks: finds, scans, and places both roles here', async ({
  openPlanner,
}) => {
  const planner = await openPlanner(ONLY_DISKS)
  const { page, labDir } = planner
  const window = windowPage(page)
  const { dialog, button, found, scanned, tick } = scanDialog(page)
  await expect(window.role('coder')).toContainText('no manifest')
  await banner(page).click()
  await expect(dialog.getByRole('checkbox', { name: /^The usual places:/ })).toBeChecked()
  await button('Look for models').click()
  await expect(found).toHaveText([
    /^Coder-80B~\/\.cache\/huggingface\/hub\/.*codermlx2 shards/,
    /^Hermes~\/models\/org\/Hermes-GGUF.*chatgguf1 shard30 B$/,
    /^\S+~\/models\/org\/Other-GGUF.*no rolegguf1 shard36 B$/,
  ])
  await expect(tick('Coder-80B')).toBeChecked()
  await expect(tick('Hermes')).toBeChecked()
  await expect(dialog.getByRole('region', { name: 'Not scannable' })).toContainText('~/models/org/Torch')
  await expect(dialog.getByRole('checkbox', { name: /^Mark them redistributable/ })).not.toBeChecked()
  await button('None').click()
  await expect(button('Scan this machine')).toBeEnabled()
  await button('All').click()
  await expect(button(/^Scan 3 models/)).toBeVisible()
  await button('What roles need').click()
  await button(/^Scan 2 models/).click()

  await expect(dialog.getByRole('status')).toHaveText(
    /^2 manifests written, this machine’s facts written as [\w.-]+\.$/,
  )
  await expect(scanned.filter({ hasText: 'Hermes' })).toHaveText(
    /~\/llm\/docs\/models\/manifests\/Hermes\.jsonmanifest written$/,
  )
  await button('Done').click()
  expect((await readdir(join(labDir, 'docs/models/manifests'))).sort()).toEqual([
    'Coder-80B.json',
    'Hermes.json',
  ])
  const [facts = ''] = await readdir(join(labDir, 'docs/models/nodes'))
  const node = facts.replace(/\.json$/, '')
  await expect(banner(page)).toBeHidden()
  for (const role of ['coder', 'chat']) {
    await window.role(role).click()
    await expect(window.role(role)).toContainText(`at ${node}`)
    await expect(window.verdict).toContainText(`Run on ${node}: it already holds the whole model`)
  }
  const manifest = await readFile(join(labDir, 'docs/models/manifests/Hermes.json'), 'utf8')
  expect(JSON.parse(manifest)).toMatchObject({ body: { name: 'Hermes' } })
  expect(manifest).not.toContain('redistributable')
  // No place of this machine may be told to others.
  expect(await readFile(join(labDir, 'docs/models/nodes', facts), 'utf8')).not.toContain(planner.home)

  await window.run('Scan models and this machine')
  await button('Scan more').click()
  await button('Look for models').click()
  await expect(found.filter({ hasText: 'Hermes' })).toContainText('known')
  await expect(tick('Hermes')).not.toBeChecked()
  await button('Back').click()
  await expect(button('Look for models')).toBeVisible()
})

test('looks only in the chosen places', async ({ openPlanner }) => {
  const planner = await openPlanner(ONLY_DISKS)
  const { page, home, answerPick } = planner
  const { dialog, button, found } = scanDialog(page)
  await banner(page).click()
  await dialog.getByRole('checkbox', { name: /^The usual places:/ }).uncheck()
  await expect(button('Look for models')).toBeDisabled()
  if (answerPick === null) {
    await dialog.getByRole('button', { name: 'models', exact: true }).click()
    await expect(dialog.getByLabel('Folder', { exact: true })).toHaveText('~/models')
    await button('Add this folder').click()
  } else {
    await answerPick(join(home, 'models'))
    await button('Add a folder…').click()
  }
  await expect(
    dialog.getByRole('region', { name: 'Folders to look in' }).getByRole('listitem').first(),
  ).toHaveText('~/models')
  await button('Look for models').click()
  await expect(found).toHaveText([/^Hermes/, /Other/])
  await button('Back').click()
  await button('Leave out ~/models').click()
  await expect(button('Look for models')).toBeDisabled()
})

test('goes on in the background, shows how far it is, and can be cancelled', async ({ openPlanner }) => {
  const planner = await openPlanner(ONLY_DISKS)
  const { page, home, labDir } = planner
  const { dialog, button, scanned } = scanDialog(page)
  // Far more than is read before it is cancelled; holes take no room.
  await truncate(join(home, WEIGHTS), 2 ** 38)
  await banner(page).click()
  await button('Look for models').click()
  await button(/^Scan 2 models/).click()
  await expect(dialog.getByRole('status')).toContainText(/ of 274\.9 GB/)
  await expect(
    scanned.filter({ hasText: 'Hermes' }).getByRole('progressbar', { name: 'Hermes' }),
  ).toBeVisible()
  await button('Go on in the background').click()
  await expect(dialog).toBeHidden()
  const inStatusBar = page.getByRole('contentinfo').getByRole('button', { name: /^Scanning models, \d+ %$/ })
  await inStatusBar.click()
  await button('Cancel the scan').click()
  await expect(dialog.getByRole('status')).toContainText('1 cancelled')
  await expect(scanned.filter({ hasText: 'Hermes' })).toContainText('cancelled')
  await expect(inStatusBar).toBeHidden()
  await button('Done').click()
  expect(await readdir(join(labDir, 'docs/models/manifests'))).toEqual(['Coder-80B.json'])
  expect(await readdir(join(labDir, 'docs/models'))).not.toContain('nodes')
})

test('shows a shard with other bytes as its own state after they are verified', async ({ openPlanner }) => {
  const planner = await openPlanner(ONLY_DISKS)
  const { page, home, env } = planner
  const window = windowPage(page)
  await scanWhatRolesNeed(planner)
  await window.role('chat').click()
  const cell = window.matrix.getByRole('gridcell', { name: /shard 1 of 1/ })
  await window.matrix.getByRole('rowheader').focus()
  await page.keyboard.press('ArrowRight')
  await expect(cell).toHaveAccessibleName(/, shard 1 of 1, hermes-Q5\.gguf, 30 B, held$/)
  expect((await runTerminal(['scan', 'models', '--verify'], env)).code).toBe(0)

  const file = await open(join(home, WEIGHTS), 'r+')
  await file.write('X', 3)
  await file.close()
  const run = await runTerminal(['scan', 'models', '--verify'], env)
  expect(run.code).toBe(1)
  expect(run.out).toContain('mismatch  hermes-Q5.gguf')
  await expect(cell).toHaveAccessibleName(/hermes-Q5\.gguf, 30 B, there with other bytes$/)
  await expect(window.matrix.getByRole('row').nth(1)).toContainText('1 mismatched')
  await expect(window.role('chat')).not.toContainText(/^chat at /)
  await expect(window.verdict).toContainText('Cannot run: no node holds the whole model')
  await window.role('coder').click()
  await expect(window.verdict).toContainText('it already holds the whole model')

  await writeFile(join(home, WEIGHTS), ggufOf('hermes'))
  await utimes(join(home, WEIGHTS), 2000, 2000)
  expect((await runTerminal(['scan', 'models', '--verify'], env)).code).toBe(0)
  await expect(window.role('chat')).toContainText(/at /)
})

test('says that a scan goes into the copy of the sample lab, and offers a lab of one’s own', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner({ lab: 'none' })
  const window = windowPage(page)
  await expect(window.role('coder-daily')).toBeVisible()
  await window.run('Scan models and this machine')
  const note = window.dialog.getByRole('note')
  await expect(note).toContainText('what is scanned goes into your copy of the sample')
  await note.getByRole('button', { name: 'Make my own…' }).click()
  await expect(page.getByRole('dialog', { name: 'New lab' })).toBeVisible()
})
