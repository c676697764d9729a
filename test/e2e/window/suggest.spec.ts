import { expect, test } from '../../support/planner-fixture.ts'
import { assumeOfNode, windowPage } from '../../support/window-page.ts'

test('offers nothing when nothing gets better', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const dialog = page.getByRole('dialog', { name: 'Suggest a plan' })
  await window.allowTransfer.click()
  await window.policy.getByRole('button', { name: 'Suggest' }).click()
  await expect(dialog).toContainText('A solver looks at all of them at once')
  await dialog.getByRole('button', { name: 'Find a plan' }).click()
  await expect(dialog.getByRole('status')).toContainText(
    'Nothing better was found. The plan stays as it is: 7 of 8 roles can run, 21.1 GB move, 3 sticky roles stay.',
  )
  await expect(dialog.getByRole('status')).toContainText('Proved: nothing is better.')
  await expect(dialog.getByRole('button', { name: 'Try it as a scenario' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await expect(window.policy).not.toContainText('pinned')
})

test('prefers interactive roles to those that come first, and leaves the plan alone until asked', async ({
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
  const differs = window.policy.getByRole('button', { name: /roles? differs?$/ })
  await expect(differs).toBeEnabled()
  const counted = await differs.textContent()

  // The baseline that is pinned now is the plan before: another suggestion leaves it as it is.
  await page.keyboard.press('Alt+Z')
  await expect(window.policy.getByRole('button', { name: 'No role differs' })).toBeVisible()
  await window.allowTransfer.click()
  await window.policy.getByRole('button', { name: 'Suggest' }).click()
  await dialog.getByRole('button', { name: 'Find a plan' }).click()
  await dialog.getByRole('button', { name: 'Try it as a scenario' }).click()
  await expect(differs).not.toHaveText(counted ?? '')
  await differs.click()
  await expect(page.getByRole('dialog', { name: 'Changes since the baseline' })).toContainText(
    'weight transfer',
  )
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
