import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../../support/planner-fixture.ts'
import { chooseFolder, drag, windowPage, type WindowPage } from '../../support/window-page.ts'

/** What the README says a person does with the planner, once by keyboard alone and once by mouse. */

/** Finds something in the palette by keys and takes the first that is found. */
async function take({ page }: WindowPage, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('dialog', { name: 'Search or run' }).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(text)
  await expect(page.getByRole('option', { selected: true })).toContainText(text)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Search or run' })).toBeHidden()
}

/** Goes by Tab until `isThere` holds, at most `most` times. */
async function tabTo({ page }: WindowPage, name: string, most = 60): Promise<void> {
  const focused = page.locator(':focus')
  for (let at = 0; at < most; at++) {
    const label = await focused.evaluate(
      (element) => element.getAttribute('aria-label') ?? element.textContent,
    )
    if (label.startsWith(name)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not come to ${name}`)
}

test('by keyboard: finds why a role cannot run, and does what changes that', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('hermes')
  await page.keyboard.press('Enter')
  await expect(window.verdict).toContainText('Cannot run:')
  await expect(
    window.explanation.getByRole('button', { name: /^Try it: allow weight transfer/ }),
  ).toBeVisible()
  await page.keyboard.press('F6')
  await page.keyboard.press('F6')
  await expect(window.explanation).toBeFocused()
  await tabTo(window, 'Try it: allow weight transfer')
  await page.keyboard.press('Enter')
  await expect(window.verdict).toContainText('then run there')
  await expect(window.verdict).toBeInViewport()
})

test('by mouse: finds why a role cannot run, and does what changes that', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.roster.getByRole('button', { name: /^Can’t run/ }).click()
  await window.role('hermes').click()
  await expect(window.verdict).toContainText('Cannot run:')
  await window.explanation.getByRole('button', { name: /^Try it: allow weight transfer/ }).click()
  await expect(window.verdict).toContainText('then run there')
})

test('by keyboard: forbids a pair, makes a role interactive, and saves', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await take(window, 'swarm-worker')
  await take(window, 'Forbid swarm-worker beside voice-llm')
  await expect(window.card('swarm-worker')).toContainText('voice-llm')
  await take(window, 'Make swarm-worker interactive')
  await expect(window.role('swarm-worker').getByTitle('interactive from the overlay')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Overlay saved')).toBeVisible()
  const text = await readFile(join(labDir, 'docs/models/overlay.yaml'), 'utf8')
  expect(text).toMatch(/swarm-worker: interactive/)
})

test('by mouse: forbids a pair, makes a role interactive, and saves', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await window.editorReady()
  await drag(window.chip('coder-compact'), window.card('hermes'))
  await expect(window.card('hermes')).toContainText('coder-compact')
  await drag(window.chip('coder-compact'), window.column('Interactive'))
  await expect(window.role('coder-compact').getByTitle('interactive from the overlay')).toBeVisible()
  await window.save.click()
  await expect(page.getByText('Overlay saved')).toBeVisible()
  const text = await readFile(join(labDir, 'docs/models/overlay.yaml'), 'utf8')
  expect(text).toMatch(/coder-compact: interactive/)
})

test('by keyboard: compares two scenarios', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await page.keyboard.press('Alt+B')
  await page.keyboard.press('Alt+T')
  await expect(window.allowTransfer).toBeChecked()
  await page.keyboard.press('Alt+C')
  const changed = window.dialog.getByRole('table', { name: 'Changed roles' })
  await expect(changed.getByRole('row', { name: /hermes/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(window.dialog).toBeHidden()
})

test('by mouse: compares two scenarios', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.policy.getByRole('button', { name: 'Pin baseline' }).click()
  await window.allowTransfer.click()
  await window.policy.getByRole('button', { name: /roles? differs?$|roles differ$/ }).click()
  const changed = window.dialog.getByRole('table', { name: 'Changed roles' })
  await expect(changed.getByRole('row', { name: /hermes/ })).toBeVisible()
})

/** What the table of scenarios says of hermes, which can run only where weights may be fetched. */
async function expectTwoScenarios({ dialog, page }: WindowPage): Promise<void> {
  const table = dialog.getByRole('table', { name: 'Roles under each scenario' })
  const hermes = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'hermes' }) })
  await expect(hermes.getByRole('cell')).toHaveText([/fetch\s*gpu-box4\.3 GB/, /cannot run/])
}

test('by keyboard: names a scenario and compares it with another', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await page.keyboard.press('Alt+T')
  await expect(window.allowTransfer).toBeChecked()
  await take(window, 'Save the scenario as')
  await expect(window.dialog.getByRole('textbox', { name: 'Name of the scenario' })).toBeFocused()
  await page.keyboard.type('night')
  await page.keyboard.press('Enter')
  await expect(window.dialog).toBeHidden()
  await take(window, 'Compare scenarios')
  await expectTwoScenarios(window)
})

test('by mouse: names a scenario and compares it with another', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const menu = page.getByRole('button', { name: /^Scenario: / })
  await window.allowTransfer.click()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Save as…' }).click()
  await window.dialog.getByRole('textbox', { name: 'Name of the scenario' }).fill('night')
  await window.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(menu).toHaveAccessibleName('Scenario: night')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Compare scenarios…' }).click()
  await expectTwoScenarios(window)
})

test('by keyboard: exports', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+E')
  await expect(window.dialog).toBeVisible()
  await tabTo(window, 'New folder name')
  await page.keyboard.type('specs')
  await page.keyboard.press('Enter')
  await expect(window.dialog).toContainText('~/specs')
  await tabTo(window, 'Preview')
  await page.keyboard.press('Enter')
  await expect(window.dialog.getByRole('list', { name: 'Files' })).toBeVisible()
  await tabTo(window, 'Write files')
  await page.keyboard.press('Enter')
  await expect(window.dialog.getByRole('status')).toContainText('8 written')
})

test('by mouse: exports', async ({ openPlanner }) => {
  const planner = await openPlanner()
  const { page } = planner
  const window = windowPage(page)
  await page.getByRole('button', { name: 'Export specs' }).click()
  await chooseFolder(planner, 'specs')
  await window.dialog.getByRole('button', { name: 'Preview' }).click()
  await window.dialog.getByRole('button', { name: 'Write files' }).click()
  await expect(window.dialog.getByRole('status')).toContainText('8 written')
})
