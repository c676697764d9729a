import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

test('leaves the overlay editor by Escape and then Tab, where Tab alone indents', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.editorReady()
  await window.yaml.focus()
  await page.keyboard.press('Tab')
  await expect(window.yaml).toBeFocused()
  await expect(window.undo).toBeEnabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(window.yaml).not.toBeFocused()

  await window.yaml.focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Tab')
  await expect(window.yaml).not.toBeFocused()
})

test('goes round the panes with F6, out of the editor too, and back with Shift', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.editorReady()
  await window.yaml.focus()
  await page.keyboard.press('F6')
  await expect(window.board).toBeFocused()
  for (const pane of [window.roster, window.matrix, window.explanation, window.overlay]) {
    await page.keyboard.press('F6')
    await expect(pane).toBeFocused()
  }
  await page.keyboard.press('Shift+F6')
  await expect(window.explanation).toBeFocused()
})

test('goes from the filter to the list, where Enter selects a role and its verdict is in sight', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  const text = window.explanation.getByRole('group', { name: 'Explanation, text' })
  await text.evaluate((body) => body.scrollTo(0, body.scrollHeight))
  await expect(window.verdict).not.toBeInViewport()
  await page.keyboard.press('/')
  await page.keyboard.press('ArrowDown')
  const list = window.roster.getByRole('listbox', { name: 'Roles' })
  await expect(list).toBeFocused()
  await page.keyboard.press('End')
  const last = list.getByRole('option').last()
  await expect(list).toHaveAttribute('aria-activedescendant', (await last.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(last).toHaveAttribute('aria-selected', 'true')
  await expect(window.verdict).toBeInViewport()
})

test('opens a dialog at what it is for, not at the button that closes it', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await window.run('Export specs…')
  await expect(window.dialog).toBeVisible()
  await expect(window.dialog.getByRole('button', { name: 'Close', exact: true })).not.toBeFocused()
  await expect(window.dialog.locator(':focus')).toHaveCount(1)
})

test('takes the board as one stop of Tab, in which the arrow keys move', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  await expect(window.chip('coder-small')).toBeVisible()
  await window.board.getByRole('textbox', { name: 'Filter the board' }).focus()
  await press('Tab')
  await expect(window.chip('coder-small')).toBeFocused()
  await press('ArrowDown')
  await expect(window.chip('voice-llm')).toBeFocused()
  await press('ArrowRight')
  await expect(window.board.getByRole('switch', { name: 'Sticky voice-llm' })).toBeFocused()
  await press('ArrowRight')
  await expect(window.board.getByRole('button', { name: 'More for voice-llm' })).toBeFocused()
  await press('ArrowRight')
  await expect(window.chip('coder-compact')).toBeFocused()
  await press('ArrowLeft')
  await expect(window.chip('voice-llm')).toBeFocused()
  await press('Tab')
  await expect(window.board.locator(':focus')).toHaveCount(0)
  await press('Shift+Tab')
  await expect(window.chip('voice-llm')).toBeFocused()
  await press('Shift+Tab')
  await expect(window.board.getByRole('textbox', { name: 'Filter the board' })).toBeFocused()
})

test('finds nodes, models and settings in the palette, and edits of the selected role', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await window.run('pi-5')
  await expect(
    window.matrix.getByRole('grid', { name: 'Nodes' }).getByRole('rowheader', { name: /^pi-5/ }),
  ).toBeFocused()
  await window.run('Qwen3-Coder-Next-80B')
  await expect(window.role('coder-daily')).toHaveAttribute('aria-selected', 'true')
  await expect(window.matrix.getByRole('grid', { name: 'Shard matrix' })).toBeVisible()
  await window.run('Set the ceiling')
  await expect(window.policy.getByRole('textbox', { name: 'Ceiling in GiB' })).toBeFocused()
  await window.role('hermes').click()
  await window.run('Make hermes interactive')
  await expect(window.role('hermes').getByTitle('interactive from the overlay')).toBeVisible()
  await window.run('Let hermes move')
  await expect(window.role('hermes').getByTitle('not sticky: may move')).toBeVisible()
  await window.run('Allow hermes beside planner')
  await expect(window.card('hermes')).not.toContainText('planner')
})

test('the right button and the menu key open the menu of a role in the roster and on the board', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const roster = page.getByRole('menu', { name: 'What if, for hermes' })
  await window.role('hermes').click({ button: 'right' })
  await expect(roster).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox', { name: 'Roles' })).toBeFocused()
  await window.role('hermes').click()
  await page.keyboard.press('Shift+F10')
  await roster.getByRole('menuitemcheckbox', { name: /^Switch it off/ }).click()
  await expect(window.role('hermes')).toContainText('switched off')

  await window.role('hermes').click({ button: 'right' })
  await roster.getByRole('menuitemcheckbox', { name: /^gpu-box/ }).click()
  await expect(window.role('hermes').getByLabel('only on gpu-box')).toBeVisible()

  const board = page.getByRole('menu', { name: 'More for hermes' })
  await window.chip('hermes').click({ button: 'right' })
  await expect(board).toBeVisible()
  await page.keyboard.press('Escape')
  await window.chip('hermes').focus()
  await page.keyboard.press('Shift+F10')
  await board.getByRole('menuitemcheckbox', { name: 'Interactive' }).click()
  await expect.poll(window.shownYaml).toContain('hermes: interactive')
})
