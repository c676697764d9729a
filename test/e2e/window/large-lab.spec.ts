import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sizedLab, writeLab } from '../../support/lab-builder.ts'
import { expect, test } from '../../support/planner-fixture.ts'
import { pickUp, windowPage } from '../../support/window-page.ts'

test('opens, scrolls and edits a lab of 256 roles and 200 nodes', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner({
    lab: (folder) => writeLab(folder, sizedLab({ roles: 256, nodes: 200, shards: 4 })),
  })
  const window = windowPage(page)
  await expect(page.getByText('256 roles').first()).toBeVisible()
  await expect(window.verdict).toContainText('weight transfer is off')

  const list = window.roster.getByRole('listbox')
  await list.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(window.role('role-255')).toHaveAttribute('aria-selected', 'true')
  await expect(window.role('role-255')).toBeInViewport()
  await expect(window.verdict).toContainText('Run on node-055')
  // Only what is in view exists.
  expect(await window.roster.getByRole('option').count()).toBeLessThan(60)

  const grid = window.matrix.getByRole('grid', { name: 'Shard matrix' })
  await expect(grid).toHaveAttribute('aria-rowcount', '201')
  await grid.getByRole('rowheader', { name: /^node-055/ }).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await expect(grid.locator(':focus')).toBeInViewport()
  await page.keyboard.press('ControlOrMeta+Home')
  await grid.hover()
  await page.mouse.wheel(0, 4000)
  await expect(grid.getByRole('rowheader', { name: /^node-055/ })).not.toBeInViewport()
  await window.allowTransfer.click()
  await window.roster.getByRole('searchbox').fill('role-000')
  await window.role('role-000').click()
  await expect(window.verdict).toContainText(/^Fetch 4 shards \(2\.0 GB\) to node-001 from node-000/)

  await page.keyboard.press('Alt+2')
  const lab = window.matrix.getByRole('grid', { name: 'Lab matrix' })
  await expect(lab).toHaveAttribute('aria-rowcount', '257')
  await expect(lab).toHaveAttribute('aria-colcount', '202')

  await window.board.getByRole('textbox', { name: 'Filter the board' }).fill('role-200')
  await window.chip('role-200').focus()
  await pickUp(window, 'Column Batch: stays batch.')
  await page.keyboard.press('ArrowLeft')
  await expect(window.told('make interactive')).toBeAttached()
  await page.keyboard.press('Space')
  await expect(
    window.column('Interactive').getByRole('button', { name: 'role-200', exact: true }),
  ).toBeVisible()
  await window.save.click()
  await expect(page.getByText('Overlay saved')).toBeVisible()
  expect(await readFile(join(labDir, 'docs/models/overlay.yaml'), 'utf8')).toMatch(
    /^# By the operator\.\nlatency_class:[^#]*role-200: interactive/,
  )
})
