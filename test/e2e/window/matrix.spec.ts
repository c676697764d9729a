import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

test('moves through the cells by keyboard and speaks each', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const grid = window.matrix.getByRole('grid', { name: 'Shard matrix' })
  await expect(grid).toHaveAttribute('aria-rowcount', '6')
  await expect(grid).toHaveAttribute('aria-colcount', '12')
  const cell = (name: RegExp) => grid.getByRole('gridcell', { name })
  const detail = window.matrix.getByRole('paragraph')

  await grid.getByRole('rowheader', { name: /^mac-studio/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(
    cell(/^mac-studio, shard 1 of 9, model-00001-of-00009\.safetensors, 5\.4 GB, held$/),
  ).toBeFocused()
  await expect(detail).toContainText('3d7b358365104f3c9dd475e721c71ece355eed1df06ccd8b7072f973dc91d8d3')
  await expect(detail).toContainText('5.4 GB (5,360,001,712 bytes)')
  await page.keyboard.press('End')
  await expect(grid.locator(':focus')).toHaveAttribute('aria-colindex', '12')
  await page.keyboard.press('Home')
  await expect(grid.getByRole('rowheader', { name: /^mac-studio/ })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+End')
  await expect(grid.getByRole('row', { name: /^pi-5/ }).locator(':focus')).toHaveAttribute(
    'aria-colindex',
    '12',
  )
  await page.keyboard.press('ControlOrMeta+Home')
  await expect(grid.getByRole('rowheader', { name: /^mac-studio/ })).toBeFocused()
  await page.keyboard.press('PageDown')
  await expect(grid.getByRole('rowheader', { name: /^pi-5/ })).toBeFocused()
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(cell(/^\S+, shard 1 of 9/)).toBeFocused()
  await expect(cell(/shard 1 of 9/)).toHaveCount(1)
})

test('lights the note of a node that is pointed at, and the node of a note', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  const note = window.notes.filter({ hasText: 'node gpu-box:' })
  await expect(note).toHaveAttribute('data-lit', 'false')
  await window.matrix.getByRole('rowheader', { name: /^gpu-box/ }).hover()
  await expect(note).toHaveAttribute('data-lit', 'true')
  await expect(window.notes.filter({ hasText: 'node pi-5:' })).toHaveAttribute('data-lit', 'false')

  const row = window.node('pi-5')
  const plain = await row.evaluate((element) => getComputedStyle(element).backgroundColor)
  await window.notes.filter({ hasText: 'node pi-5:' }).hover()
  await expect(note).toHaveAttribute('data-lit', 'false')
  await expect(row).not.toHaveCSS('background-color', plain)
  await window.explanation.getByRole('heading', { name: 'Explanation' }).hover()
  await expect(row).toHaveCSS('background-color', plain)
})

test('sorts and filters the nodes', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  const rows = window.matrix.getByRole('rowheader')
  const names = [/^gpu-box/, /^mac-studio/, /^archive-nas/, /^mac-mini/, /^pi-5/]
  await expect(rows).toHaveText(names)
  const sort = async (by: string): Promise<void> => {
    await window.matrix.getByRole('button', { name: /^Node, by/ }).click()
    await page.getByRole('menuitemcheckbox', { name: by }).click()
  }
  await sort('Free space')
  await expect(rows).toHaveText([/^archive-nas/, /^mac-studio/, /^gpu-box/, /^mac-mini/, /^pi-5/])
  await sort('Name')
  await expect(rows).toHaveText([/^archive-nas/, /^gpu-box/, /^mac-mini/, /^mac-studio/, /^pi-5/])
  await sort('Missing bytes')
  await expect(rows).toHaveText([/^archive-nas/, /^gpu-box/, /^mac-mini/, /^mac-studio/, /^pi-5/])
  await window.matrix.getByRole('button', { name: 'Eligible 2' }).click()
  await expect(rows).toHaveText([/^gpu-box/, /^mac-studio/])
  await window.matrix.getByRole('button', { name: 'Holders 2' }).click()
  await expect(rows).toHaveText([/^archive-nas/, /^gpu-box/])
  await window.matrix.getByRole('searchbox', { name: 'Filter nodes' }).fill('PI')
  await expect(window.matrix.getByText('No node matches')).toBeVisible()
  await window.matrix.getByRole('button', { name: 'Show all nodes' }).click()
  await expect(rows).toHaveCount(5)
})

test('forces a node out and in from its row, by mouse and by keyboard', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('voice-llm').click()
  await expect(window.verdict).toContainText('Run on gpu-box')
  await window.matrix.getByRole('rowheader', { name: /^gpu-box/ }).hover()
  await window.matrix.getByRole('button', { name: 'Force gpu-box in or out' }).click()
  await page.getByRole('menuitemcheckbox', { name: /^Don’t run here/ }).click()
  await expect(window.verdict).toContainText('Cannot run')
  await expect(window.role('voice-llm')).toContainText('transfer is off')
  await expect(window.policy).toContainText('Scenario: gpu-box ruled out')
  await expect(window.node('gpu-box')).toContainText('ruled out')
  const constraints = window.explanation.getByRole('region', { name: 'Constraints' })
  await expect(constraints.getByRole('row', { name: /^gpu-box/ })).toContainText('ruled out')

  await window.matrix.getByRole('rowheader', { name: /^mac-studio/ }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(window.matrix.getByRole('rowheader', { name: /^gpu-box/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Back to constraints' }).press('Enter')
  await expect(window.verdict).toContainText('Run on gpu-box')
  await expect(window.policy).not.toContainText('Scenario')

  await window.role('planner').click()
  await window.matrix.getByRole('rowheader', { name: /^archive-nas/ }).hover()
  await window.matrix.getByRole('rowheader', { name: /^archive-nas/ }).click({ button: 'right' })
  await page.getByRole('menuitemcheckbox', { name: /^Treat as eligible/ }).click()
  await expect(window.verdict).toContainText('On its own: run on archive-nas, which holds the whole model')
  await expect(window.node('archive-nas')).toContainText('treated as eligible')
})

test('opens a node’s menu by the keys for it', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.matrix.getByRole('rowheader', { name: /^mac-studio/ }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitemcheckbox', { name: /^Don’t run here/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  // The end of a row is in view with its last cell.
  await page.keyboard.press('End')
  const last = window.matrix.getByRole('grid', { name: 'Shard matrix' }).locator(':focus')
  await expect(last).toHaveAttribute('aria-colindex', '12')
  await expect(last).toBeInViewport()
})

test('shows the whole lab, where a row selects its role, and the nodes', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('coder-daily')).toBeVisible()
  await page.keyboard.press('Alt+2')
  const lab = window.matrix.getByRole('grid', { name: 'Lab matrix' })
  await expect(lab.getByRole('row')).toHaveCount(9)
  await expect(lab.getByRole('columnheader')).toHaveText([
    /^Role/,
    'archive-nas',
    'gpu-box',
    'mac-mini',
    'mac-studio',
    'pi-5',
    'Needs',
  ])
  await lab.getByRole('rowheader', { name: /^coder-daily/ }).focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key)
  }
  const cell = lab.getByRole('gridcell', { name: /^hermes, gpu-box, eligible.*holds 2 of 3 shards/ })
  await expect(cell).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(window.role('hermes')).toHaveAttribute('aria-selected', 'true')
  await expect(window.verdict).toContainText('weight transfer is off')
  await window.allowTransfer.click()
  await expect(lab.getByRole('row', { name: /^hermes fetch 4.3 GB → gpu-box/ })).toBeVisible()

  await window.matrix.getByRole('button', { name: 'Nodes', exact: true }).click()
  const nodes = window.matrix.getByRole('grid', { name: 'Nodes' })
  await expect(nodes.getByRole('row', { name: /^gpu-box/ })).toContainText(
    'hermes 27.5 GB · swarm-worker 7.5 GB · voice-llm 2.0 GB',
  )
  await window.matrix.getByRole('button', { name: /^In use/ }).click()
  await expect(nodes.getByRole('row', { name: /^pi-5/ })).toBeHidden()
  await expect(nodes.getByRole('row', { name: /^gpu-box/ })).toBeVisible()
  await page.keyboard.press('Alt+1')
  await expect(window.matrix.getByRole('grid', { name: 'Shard matrix' })).toBeVisible()
})

test('shows more in the same room, down to an overview with a lens, and remembers it', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const grid = window.matrix.getByRole('grid', { name: 'Shard matrix' })
  const heightOf = async (row: string): Promise<number> =>
    (await grid.getByRole('row', { name: new RegExp(`^${row}`) }).boundingBox())?.height ?? 0
  const comfortable = await heightOf('gpu-box')
  await grid.getByRole('rowheader', { name: /^mac-studio/ }).focus()
  await page.keyboard.press('ControlOrMeta+-')
  await expect(window.matrix.getByRole('button', { name: 'Density: Compact' })).toBeVisible()
  expect(await heightOf('gpu-box')).toBeLessThan(comfortable * 0.7)
  await page.keyboard.press('ControlOrMeta+-')
  await expect(window.matrix.getByRole('button', { name: 'Density: Overview' })).toBeVisible()

  // The keyboard's cursor is read by the lens, and spoken as before.
  await page.keyboard.press('ArrowRight')
  await expect(grid.getByRole('gridcell', { name: /^mac-studio, shard 1 of 9/ })).toBeFocused()
  const lens = grid.getByText(/^mac-studio, shard 1 of 9, .*, held$/)
  await expect(lens.last()).toBeVisible()
  // So is the cell under the pointer.
  const box = await grid.boundingBox()
  if (box === null) throw new Error('the grid is not there')
  await page.mouse.move(box.x + 12, box.y + 26)
  await expect(grid.getByText(/^gpu-box, shard 1 of 9, .*, missing$/).last()).toBeVisible()

  await page.reload()
  const choose = async (from: string, to: string): Promise<void> => {
    await window.matrix.getByRole('button', { name: `Density: ${from}` }).click()
    await page.getByRole('menuitemcheckbox', { name: to }).click()
    await expect(window.matrix.getByRole('button', { name: `Density: ${to}` })).toBeVisible()
  }
  await choose('Overview', 'Comfortable')
  await expect.poll(() => heightOf('gpu-box')).toBe(comfortable)

  // The lab view has a density of its own.
  await window.matrix.getByRole('button', { name: 'Lab', exact: true }).click()
  await choose('Comfortable', 'Overview')
})
