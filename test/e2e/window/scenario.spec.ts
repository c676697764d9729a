import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type OpenedPlanner } from '../../support/planner-fixture.ts'
import { runTerminal } from '../../support/run-terminal.ts'
import {
  assumeOfNode,
  assumeOfRole,
  chooseFile,
  chooseFolder,
  windowPage,
} from '../../support/window-page.ts'

interface PlannedRole {
  readonly role: string
  readonly decision: unknown
  readonly placement: unknown
}

function rolesOf(planJson: string): readonly PlannedRole[] {
  const { roles } = JSON.parse(planJson) as { readonly roles: readonly PlannedRole[] }
  return roles.map(({ role, decision, placement }) => ({ role, decision, placement }))
}

/** Exports one document of what is on screen to a folder of the person's home. */
async function exportDocument(planner: OpenedPlanner, what: string, folder: string): Promise<void> {
  const { page } = planner
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await page.keyboard.press('ControlOrMeta+E')
  await dialog.getByRole('button', { name: what, exact: true }).click()
  await chooseFolder(planner, folder)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(dialog.getByRole('status')).toContainText('written')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
}

test('undoes, redoes and resets what is assumed, step by step', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await window.allowTransfer.click()
  await window.policy.getByRole('switch', { name: 'Forbid copying weights' }).click()
  await expect(window.policy).toContainText('Scenario: transfer on, copying forbidden')
  await page.keyboard.press('Alt+Z')
  await expect(window.policy).not.toContainText('copying forbidden')
  await expect(window.verdict).toContainText('Fetch 1 shard')
  await page.keyboard.press('Alt+Z')
  await expect(window.policy).not.toContainText('Scenario')
  await expect(window.allowTransfer).not.toBeChecked()
  await page.keyboard.press('Alt+Shift+Z')
  await page.keyboard.press('Alt+Shift+Z')
  await expect(window.policy).toContainText('Scenario: transfer on, copying forbidden')
  await window.policy.getByRole('button', { name: 'Reset' }).click()
  await expect(window.policy).not.toContainText('Scenario')
  await window.run('Undo the last scenario change')
  await expect(window.policy).toContainText('Scenario: transfer on, copying forbidden')
})

test('switches a role off, which makes room, and pins one to a node', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('coder-small').click()
  await expect(window.verdict).toContainText('Cannot run: beside the other roles there is no place for it')
  await assumeOfRole(window, 'coder-compact', /^Switch it off/)
  await expect(window.verdict).toContainText('Switched off in this scenario.')
  await expect(window.role('coder-compact')).toContainText('switched off')
  await expect(window.policy).toContainText('Scenario: coder-compact off')
  await window.role('coder-small').click()
  await expect(window.onItsOwn).toBeHidden()

  await window.allowTransfer.click()
  await assumeOfRole(window, 'coder-small', /^mac-mini/)
  await expect(window.verdict).toContainText('Fetch 2 shards (9.4 GB) to mac-mini')
  await expect(window.policy).toContainText('coder-small pinned to mac-mini')
  await assumeOfRole(window, 'coder-small', /^gpu-box not eligible/)
  await expect(window.verdict).toContainText('Cannot run')
  // What only the pin rules out can be pinned instead.
  await assumeOfRole(window, 'coder-small', /^mac-studio$/)
  await expect(window.policy).toContainText('coder-small pinned to mac-studio')
  await assumeOfRole(window, 'coder-small', /^mac-studio$/)
  await expect(window.policy).not.toContainText('pinned')
  await expect(window.verdict).toContainText('Run on mac-studio')
  await assumeOfRole(window, 'coder-compact', /^Switch it off/)
  await expect(window.role('coder-compact')).toContainText('at mac-studio')
})

test('plans without a node, from its menu and back', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('voice-llm').click()
  await assumeOfNode(window, 'gpu-box', /^Treat as offline/)
  await expect(window.policy).toContainText('Scenario: gpu-box treated as offline')
  await expect(window.verdict).toContainText('Cannot run')
  await expect(window.notes.filter({ hasText: 'node gpu-box:' })).toHaveText(
    'node gpu-box: eligible=false complete=false holds 0/1 shards',
  )
  await expect(window.notes.last()).toContainText('no node holds these weights')
  await page.keyboard.press('Alt+Z')
  await expect(window.verdict).toContainText('Run on gpu-box')
})

test('assumes memory and space that a node does not report', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const dialog = page.getByRole('dialog', { name: 'What if mac-studio had…' })
  const memory = dialog.getByRole('textbox', { name: 'Memory free in GiB' })
  await window.role('coder-small').click()
  await assumeOfNode(window, 'mac-studio', /^Assume memory or space/)
  await expect(dialog).toContainText(
    /The plan uses [\d.]+ GiB \(96\.0 GB\) of memory and [\d.]+ GiB \(1\.5 TB\) of storage free\./,
  )
  await memory.fill('120')
  await expect(dialog).toContainText('The plan uses 120 GiB (128.8 GB) of memory')
  await memory.fill('lots')
  await expect(dialog.getByRole('alert').first()).toHaveText(
    'Memory free must be a number of GiB from 0; until then 120 GiB counts',
  )
  await expect(memory).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog).toContainText('The plan uses 120 GiB (128.8 GB) of memory')
  await memory.fill('120')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(window.policy).toContainText('Scenario: 128.8 GB of memory free on mac-studio')
  await expect(window.onItsOwn).toBeHidden()

  await assumeOfNode(window, 'mac-studio', /^Assume memory or space/)
  await expect(memory).toHaveValue('120')
  await dialog.getByRole('button', { name: 'As reported' }).click()
  await expect(memory).toHaveValue('')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(window.policy).not.toContainText('Scenario')
  await expect(window.verdict).toContainText('Cannot run: beside the other roles there is no place for it')
})

test('says how long moves take at a link rate', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const links = window.policy.getByRole('textbox', { name: 'Links in megabits a second' })
  await window.role('hermes').click()
  await window.allowTransfer.click()
  await expect(window.roster.getByTitle(/^21\.1 GB would move; link rates are not known\./)).toBeVisible()
  await links.fill('1000')
  await expect(window.verdict).toContainText('Moves 4.3 GB to gpu-box, about 34 s from archive-nas.')
  await expect(
    window.roster.getByTitle(
      /^21\.1 GB would move: about 2 min 49 s one after the other, .* of archive-nas takes longest/,
    ),
  ).toBeVisible()
  await links.fill('0')
  await expect(links).toHaveAttribute('aria-invalid', 'true')
  await links.fill('100')
  await expect(window.verdict).toContainText('about 5 min 44 s from archive-nas')
  await links.fill('')
  await expect(window.verdict).not.toContainText('Moves')
})

test('saves a scenario, opens it again, and the terminal plans the same with it', async ({ openPlanner }) => {
  const planner = await openPlanner()
  const { page, home, env, labDir } = planner
  const window = windowPage(page)
  await window.role('coder-small').click()
  await window.allowTransfer.click()
  await window.policy.getByRole('textbox', { name: 'Ceiling in GiB' }).fill('5.5')
  await assumeOfRole(window, 'coder-compact', /^Switch it off/)
  await assumeOfRole(window, 'voice-llm', /^mac-studio/)
  await assumeOfNode(window, 'mac-mini', /^Treat as offline/)
  await assumeOfNode(window, 'pi-5', /^Don’t run here/)
  await exportDocument(planner, 'Scenario', 'scenarios')
  await exportDocument(planner, 'Plan as JSON', 'plans')
  const told = rolesOf(await readFile(join(home, 'plans/plan.json'), 'utf8'))
  const whatIf = await window.policy.getByTitle(/^transfer on, /).getAttribute('title')

  const scenario = join(home, 'scenarios/scenario.json')
  const run = await runTerminal(['plan', '--json', '--lab', labDir, '--scenario', scenario], env)
  expect(rolesOf(run.out)).toEqual(told)
  // It is the scenario that makes the plan what it is.
  expect(rolesOf((await runTerminal(['plan', '--json', '--lab', labDir], env)).out)).not.toEqual(told)

  await window.policy.getByRole('button', { name: 'Reset' }).click()
  await expect(window.policy).not.toContainText('Scenario')
  await window.run('Open a saved scenario')
  await chooseFile(planner, 'scenarios/scenario.json')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(window.messages).toContainText('Planning with scenario.json')
  await expect(window.policy.getByTitle(whatIf ?? 'nothing', { exact: true })).toBeVisible()
  await exportDocument(planner, 'Plan as JSON', 'again')
  expect(rolesOf(await readFile(join(home, 'again/plan.json'), 'utf8'))).toEqual(told)
  await page.keyboard.press('Alt+Z')
  await expect(window.policy).not.toContainText('Scenario')
})

test('shows what is wrong with a scenario file and where, and keeps the scenario on screen', async ({
  openPlanner,
}) => {
  const planner = await openPlanner()
  const { page, home, env, labDir } = planner
  const window = windowPage(page)
  const broken = join(home, 'scenarios/broken.json')
  await mkdir(join(home, 'scenarios'))
  await writeFile(
    broken,
    '{\n  "schema": "lab-planner.scenario.v1",\n  "max_bytes": "10 GiB",\n  "offroles": ["hermes"]\n}\n',
  )
  await window.allowTransfer.click()
  await window.run('Open a saved scenario')
  await chooseFile(planner, 'scenarios/broken.json')
  const dialog = page.getByRole('dialog', { name: 'Open a saved scenario' })
  const problems = dialog.getByRole('alert').getByRole('listitem')
  await expect(problems).toHaveCount(2)
  await expect(problems.first()).toContainText('`max_bytes` must be a byte count')
  await expect(problems.first()).toContainText('broken.json:3:16')
  await expect(problems.last()).toContainText('`offroles` is no key of a scenario')
  await expect(problems.last()).toContainText('broken.json:4:3')
  await page.keyboard.press('Escape')
  await expect(window.policy).toContainText('Scenario: transfer on')

  const run = await runTerminal(['plan', '--lab', labDir, '--scenario', broken], env)
  expect(run.code).toBe(3)
  expect(run.err).toContain('broken.json:3:16')
  expect(run.err).toContain('`max_bytes` must be a byte count')
})
