import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sizedLab, writeLab } from '../../support/lab-builder.ts'
import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

const ROSTER = 'docs/models/queue.yaml'

const ONE_ROLE = 'roster:\n- {id: first, name: First-7B, backend: llamacpp, ram_gb: 7}\n'

test('welcomes with the sample lab when there is none yet', async ({ openPlanner }) => {
  const { page } = await openPlanner({ lab: 'none' })
  const window = windowPage(page)
  await expect(
    page.getByText('This is the sample lab: try everything, nothing of yours is touched.'),
  ).toBeVisible()
  await expect(window.role('coder-daily')).toBeVisible()
  await page.getByRole('button', { name: 'Open my lab…' }).click()
  await expect(page.getByRole('dialog', { name: 'Open lab' })).toContainText('A lab is a folder with')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('says what to do in a lab without a roster, and plans it as soon as there is one', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner({ lab: (folder) => writeLab(folder, { overlay: '# mine\n' }) })
  await expect(page.getByText('~/llm has no roster')).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Open lab…' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Open the sample lab' })).toBeVisible()
  await writeLab(labDir, { roster: ONE_ROLE })
  await expect(windowPage(page).role('first')).toBeVisible()
})

test('says that a roster is empty, and why each entry of one was skipped', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await writeFile(join(labDir, ROSTER), '')
  await expect(window.roster.getByText('The roster has no usable roles: see Skipped.')).toBeVisible()
  await expect(window.explanation.getByText('No role to explain')).toBeVisible()
  await expect(window.matrix.getByText('No role to show')).toBeVisible()
  await writeFile(join(labDir, ROSTER), 'roster:\n- {id: a b, backend: llamacpp}\n')
  await window.roster.getByRole('button', { name: 'Skipped 1' }).click()
  await expect(window.roster.getByText('id is not a plain token')).toBeVisible()
})

test('says what is missing without a registry and without nodes', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner({ lab: (folder) => writeLab(folder, { roster: ONE_ROLE }) })
  const window = windowPage(page)
  const { nodes = {}, registry = '' } = sizedLab({ roles: 1, nodes: 2, shards: 1 })
  await expect(
    page.getByText(/^The lab has no registry and no model manifests, so no model is known/),
  ).toBeVisible()
  await expect(window.matrix.getByText('The lab has no nodes')).toBeVisible()
  await expect(window.verdict).toContainText('Cannot run: no manifest is named First-7B')
  await writeLab(labDir, { registry })
  await expect(page.getByText(/^The lab has no node facts, so nothing can be placed/)).toBeVisible()
  await writeLab(labDir, { nodes })
  await expect(window.matrix.getByText('No manifest is named First-7B')).toBeVisible()
  await expect(page.getByText(/^The lab has no node facts/)).toBeHidden()
})

test('keeps the last good reading when the registry goes away', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await rm(join(labDir, 'docs/models/registry.json'))
  await expect(
    page.getByText(/^This is the last good reading of the lab: .*registry\.json is not there\.$/),
  ).toBeVisible()
  await expect(window.verdict).toContainText('archive-nas holds the model.')
})

test('points at the fault of a roster that cannot be read, and reads it when it is mended', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner({
    lab: (folder) => writeLab(folder, { roster: 'roster:\n- id: [\n' }),
  })
  const main = page.getByRole('main')
  await expect(main.getByText('~/llm/docs/models/queue.yaml cannot be read')).toBeVisible()
  await main
    .getByRole('button', { name: /^queue\.yaml:\d+:\d+$/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'queue.yaml' }).getByText('- id: [')).toBeVisible()
  await page.keyboard.press('Escape')
  await writeLab(labDir, { roster: ONE_ROLE })
  await expect(windowPage(page).role('first')).toBeVisible()
})

test('keeps the last good roster while the file is broken, marked stale', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  const file = join(labDir, ROSTER)
  const good = await readFile(file, 'utf8')
  await window.role('hermes').click()
  await writeFile(file, good.replace('- id: coder-daily', '- id: "coder-daily'))
  await expect(
    page.getByText(/^The roster on disk cannot be read .*; the last good one is shown\.$/),
  ).toBeVisible()
  await expect(page.getByText('Stale plan')).toBeVisible()
  await expect(window.explanation.getByRole('note')).toContainText('Stale: the roster cannot be read')
  await expect(window.role('hermes')).toHaveAttribute('aria-selected', 'true')
  await window.allowTransfer.click()
  await expect(window.verdict).toContainText('Fetch 1 shard')
  await page.getByRole('button', { name: 'Show the roster' }).click()
  await expect(page.getByRole('dialog', { name: 'queue.yaml' }).getByText('- id: "coder-daily')).toBeVisible()
  await page.keyboard.press('Escape')
  await writeFile(file, good)
  await expect(page.getByText('Stale plan')).toBeHidden()
  await expect(window.explanation.getByRole('note')).toBeHidden()
})

test('keeps what is on screen, with unsaved edits, while the folder is away', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await window.board.getByRole('switch', { name: 'Sticky hermes' }).click()
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await rename(labDir, `${labDir}-unplugged`)
  await expect(
    page.getByText('This is the last good reading of the lab: the folder ~/llm is not there.'),
  ).toBeVisible()
  await expect(page.getByText('Stale plan')).toBeVisible()
  await expect(window.role('hermes')).toBeVisible()
  // Nothing is made in the place of a folder that will come back.
  await window.save.click()
  await expect(window.messages).toContainText('Cannot save: the folder ~/llm is not there.')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  expect(existsSync(labDir)).toBe(false)
  await rename(`${labDir}-unplugged`, labDir)
  await expect(page.getByText('Stale plan')).toBeHidden()
  await window.save.click()
  await expect(page.getByText('Overlay saved')).toBeVisible()
  expect(await readFile(join(labDir, 'docs/models/overlay.yaml'), 'utf8')).toContain('  hermes: false\n')
})

test('shows what files of others would steer the window with, and does not follow it', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await writeFile(
    join(labDir, ROSTER),
    'roster:\n- {id: "a\\u202eb\\e[31m", name: X, backend: llamacpp}\n- {id: good, name: Good-7B, backend: "lla\\u061cma", ram_gb: 1}\n',
  )
  await writeFile(join(labDir, 'docs/models/overlay.yaml'), 'excludes:\n  good: ["z\\u2067z"]\n')
  await window.roster.getByRole('button', { name: /^Skipped/ }).click()
  await expect(window.roster).toContainText('a\\u{202e}b\\u{1b}[31m')
  await expect(window.roster).toContainText('lla\\u{61c}ma')
  await page.keyboard.press('Alt+P')
  await expect(page.getByRole('dialog')).toBeVisible()
  const acted = await page.evaluate(() =>
    [...document.querySelectorAll('body *:not(.monaco-editor *)')].flatMap((element) =>
      [...element.childNodes].flatMap((node) =>
        node.nodeType === Node.TEXT_NODE &&
        /[\u061c\u202a-\u202e\u2066-\u2069]|(?![\n\t])\p{Cc}/u.test(node.textContent ?? '')
          ? [node.textContent]
          : [],
      ),
    ),
  )
  expect(acted).toEqual([])
})
