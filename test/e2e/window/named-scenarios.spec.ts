import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

test('scenarios are kept beside the lab, switched in the header, compared side by side, renamed and deleted', async ({
  openPlanner,
}) => {
  const { page, home } = await openPlanner()
  const window = windowPage(page)
  const menu = page.getByRole('button', { name: /^Scenario: / })
  const dialog = page.getByRole('dialog')
  const file = (name: string): string => join(home, 'llm/docs/models/scenarios', `${name}.yaml`)
  const choose = async (name: string): Promise<void> => {
    await menu.click()
    await page
      .getByRole('menuitem', { name, exact: true })
      .or(page.getByRole('menuitemcheckbox', { name, exact: true }))
      .click()
  }

  await window.allowTransfer.click()
  await choose('Save as…')
  await dialog.getByRole('textbox', { name: 'Name of the scenario' }).fill('../night')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('A name begins with a letter or digit')
  await dialog.getByRole('textbox', { name: 'Name of the scenario' }).fill('night')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(menu).toHaveAccessibleName('Scenario: night')
  expect(await readFile(file('night'), 'utf8')).toContain('allow_weight_transfer: true')

  // A comment of a person stays when the window writes the file again.
  const forbid = page.getByRole('switch', { name: 'Forbid copying weights' })
  await writeFile(file('night'), `# At night.\n${await readFile(file('night'), 'utf8')}`)
  await forbid.click()
  await expect(menu).toHaveAccessibleName('Scenario: night, changed')
  await choose('Save night')
  await expect(window.messages).toContainText('changed by another program')
  await page.keyboard.press('Alt+Z')
  await choose('night')
  await forbid.click()
  await choose('Save night')
  await expect(window.messages).toContainText('Saved the scenario night')
  await expect(menu).toHaveAccessibleName('Scenario: night')
  expect(await readFile(file('night'), 'utf8')).toMatch(/^# At night\.\n[^]*sharing_veto: true\n$/)
  await forbid.click()
  await choose('Save night')
  await expect(menu).toHaveAccessibleName('Scenario: night')

  await choose('Nothing assumed')
  await expect(window.allowTransfer).not.toBeChecked()
  await expect(menu).toHaveAccessibleName('Scenario: No scenario')
  await choose('night')
  await expect(window.allowTransfer).toBeChecked()

  await choose('Compare scenarios…')
  const table = dialog.getByRole('table', { name: 'Roles under each scenario' })
  await expect(table.getByRole('columnheader')).toHaveText([
    'Role',
    /^night7 roles can run, 1 cannot, 21\.1 GB to move/,
    /^Nothing assumed\d roles can run/,
  ])
  const hermes = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'hermes' }) })
  await expect(hermes.getByRole('cell')).toHaveText([/fetch\s*gpu-box4\.3 GB/, /cannot run/])
  await expect(table.getByRole('rowheader', { name: 'coder-daily' })).toBeHidden()
  await dialog.getByRole('switch', { name: 'Only roles that differ' }).click()
  await expect(table.getByRole('rowheader')).toHaveCount(8)
  await page.keyboard.press('Escape')

  await choose('Rename…')
  await dialog.getByRole('textbox', { name: 'Name of the scenario' }).fill('weekend')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(menu).toHaveAccessibleName('Scenario: weekend')
  await expect(readFile(file('night'))).rejects.toThrow('ENOENT')
  await choose('Delete…')
  await dialog.getByRole('button', { name: 'Delete weekend' }).click()
  await expect(menu).toHaveAccessibleName('Scenario: No scenario')
  await expect(readFile(file('weekend'))).rejects.toThrow('ENOENT')
  await expect(window.allowTransfer).toBeChecked()

  // A file that comes from elsewhere is there to be switched to; one with errors is listed with its problem.
  await writeFile(file('day'), 'schema: lab-planner.scenario.v1\noff_roles: [hermes]\n')
  await writeFile(file('broken'), 'schema: lab-planner.scenario.v1\noffroles: [hermes]\n')
  await expect(page.getByRole('contentinfo')).toContainText('1 error')
  await choose('day')
  await expect(window.role('hermes')).toContainText('switched off')
})
