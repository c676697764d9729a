import { expect, test } from '../../support/planner-fixture.ts'
import { assumeOfNode, windowPage } from '../../support/window-page.ts'

test('finds a plan for all roles, with proof, and tries it as a scenario that can be undone', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const dialog = page.getByRole('dialog', { name: 'Suggest a plan' })
  await window.role('coder-small').click()
  await window.allowTransfer.click()
  await window.policy.getByRole('button', { name: 'Suggest' }).click()
  await expect(dialog).toContainText('A solver looks at all of them at once')
  await dialog.getByRole('button', { name: 'Find a plan' }).click()
  const status = dialog.getByRole('status')
  await expect(status).toContainText(
    '7 of 7 roles placed, 21.1 GB move, 3 sticky roles stay (one by one: 7, 21.1 GB move, 3 sticky roles stay).',
  )
  await expect(status).toContainText('Proved: there is none better.')
  const row = (role: string) =>
    dialog.getByRole('row').filter({ has: page.getByRole('rowheader', { name: role }) })
  await expect(dialog.getByRole('rowheader')).toHaveCount(8)
  await expect(row('coder-small').getByRole('cell')).toHaveText([
    'mac-mini',
    '9.4 GB',
    /^9\.4 GB of it come to mac-mini; not on mac-studio: 'coder-small' needs 9\.7 GB but only/,
  ])
  await expect(row('planner').getByRole('cell')).toHaveText([
    'nowhere',
    '–',
    'weights are held elsewhere and the manifest is not marked redistributable',
  ])

  await dialog.getByRole('button', { name: 'Try it as a scenario' }).click()
  await expect(dialog).toBeHidden()
  await expect(window.messages).toContainText('The suggestion is a scenario now')
  await expect(window.policy).toContainText('coder-small pinned to mac-mini')
  await expect(window.role('coder-small')).toContainText('fetch 9.4 GB → mac-mini')
  await expect(window.onItsOwn).toBeHidden()
  await window.policy.getByRole('button', { name: '1 role differs' }).click()
  await expect(
    page.getByRole('dialog', { name: 'Changes since the baseline' }).getByRole('cell').last(),
  ).toHaveText('coder-small is pinned to mac-mini')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Alt+Z')
  await expect(window.policy).not.toContainText('pinned')
  await expect(window.policy).toContainText('Scenario: transfer on')
  await expect(window.policy.getByRole('button', { name: 'No role differs' })).toBeVisible()
  await expect(window.verdict).toContainText('Fetch 9.4 GB to mac-mini')
})

test('prefers interactive roles to those that come first, and leaves the plan alone unless told', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const dialog = page.getByRole('dialog', { name: 'Suggest a plan' })
  await window.role('coder-small').click()
  await assumeOfNode(window, 'mac-studio', /^Assume memory/)
  await page.getByRole('dialog').getByRole('textbox', { name: 'Memory free in GiB' }).fill('56')
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await expect(window.verdict).toContainText('Cannot run: beside the other roles there is no place for it')
  await window.policy.getByRole('button', { name: 'Suggest' }).click()
  await dialog.getByRole('button', { name: '20 s', exact: true }).click()
  await dialog.getByRole('button', { name: 'Find a plan' }).click()
  await expect(dialog.getByRole('status')).toContainText('Proved: there is none better.')
  await expect(
    dialog
      .getByRole('row', { name: /^coder-small/ })
      .getByRole('cell')
      .first(),
  ).toHaveText('mac-studio')
  await expect(
    dialog
      .getByRole('row', { name: /^coder-compact/ })
      .getByRole('cell')
      .first(),
  ).toHaveText('mac-studio')
  await expect(
    dialog
      .getByRole('row', { name: /^coder-daily/ })
      .getByRole('cell')
      .first(),
  ).toHaveText('nowhere')
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await expect(window.policy).not.toContainText('pinned')
  await expect(window.verdict).toContainText('Cannot run: beside the other roles there is no place for it')

  await window.policy.getByRole('button', { name: 'Suggest' }).click()
  await dialog.getByRole('button', { name: 'Find a plan' }).click()
  await dialog.getByRole('button', { name: 'Try it as a scenario' }).click()
  await expect(window.onItsOwn).toBeHidden()
  await expect(window.role('coder-small')).toContainText('at mac-studio')
  await expect(window.policy.getByRole('button', { name: /roles? differs?$/ })).toBeEnabled()
})

test('asks for sound text first', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.replaceYaml('latency_class:\n  hermes: fast\n')
  await window.policy.getByRole('button', { name: 'Suggest' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suggest a plan' })
  await expect(dialog.getByRole('alert')).toHaveText('The overlay has errors; fix it first.')
  await expect(dialog.getByRole('button', { name: 'Find a plan' })).toBeDisabled()
})
