import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

test('holds transfers to a ceiling and a headroom, and marks what is assumed until it is reset', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const ceiling = window.policy.getByRole('textbox', { name: 'Ceiling in GiB' })
  const headroom = window.policy.getByRole('textbox', { name: 'Headroom in GiB' })
  await window.role('hermes').click()
  await expect(window.policy).not.toContainText('Scenario')
  await page.keyboard.press('Alt+T')
  await expect(window.allowTransfer).toBeChecked()
  await expect(window.policy).toContainText('Scenario: transfer on')

  await ceiling.fill('4')
  await expect(window.verdict).toContainText(
    '4.30 GB would have to move, over the ceiling of 4.29 GB (4 GiB)',
  )
  await expect(window.verdict).toContainText('4,300,009,904 bytes against 4,294,967,296 bytes.')
  await expect(window.notes.last()).toContainText('unplaceable:')
  await expect(window.policy).toContainText('ceiling 4 GiB (4.3 GB)')
  await ceiling.fill('4,5')
  await expect(window.verdict).toContainText('Fetch 1 shard (4.3 GB) to gpu-box')
  await headroom.fill('2000')
  await expect(window.verdict).toContainText('Cannot run: the best target needs')
  await expect(window.policy).toContainText('headroom 2000 GiB')

  await window.policy.getByRole('button', { name: 'Reset' }).click()
  await expect(window.allowTransfer).not.toBeChecked()
  await expect(ceiling).toHaveValue('')
  await expect(headroom).toHaveValue('')
  await expect(window.policy).not.toContainText('Scenario')
  await expect(window.verdict).toContainText('weight transfer is off')
})

test('marks a figure that is none and goes on with the last good one', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const ceiling = window.policy.getByRole('textbox', { name: 'Ceiling in GiB' })
  await window.role('hermes').click()
  await window.allowTransfer.click()
  await ceiling.fill('4')
  await expect(window.verdict).toContainText('over the ceiling')
  for (const nonsense of ['4 GB', '-1', '1e9', 'NaN', '0x10', '4..5']) {
    await ceiling.fill(nonsense)
    await expect(ceiling).toHaveAttribute('aria-invalid', 'true')
    await expect(window.policy).toContainText('ceiling 4 GiB')
  }
  await expect(
    window.policy.getByTitle(/^Ceiling must be a number of GiB from 0; until then .* counts$/),
  ).toBeVisible()
  await ceiling.blur()
  await expect(ceiling).toHaveValue('4')
  await expect(ceiling).toHaveAttribute('aria-invalid', 'false')
  await ceiling.fill('0')
  await expect(window.verdict).toContainText('over the ceiling of 0')
})

test('forbids copying weights and asks for fresh facts', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await window.allowTransfer.click()
  await window.policy.getByRole('switch', { name: 'Forbid copying weights' }).click()
  await expect(window.verdict).toContainText(
    'archive-nas holds the model. Copying weights is forbidden in this scenario.',
  )
  await expect(window.role('swarm-worker')).toContainText('not redistributable')
  await window.policy.getByRole('switch', { name: 'Require fresh facts' }).click()
  // The sample lab’s facts are of a fixed day, so by now they are stale.
  await expect(window.verdict).toContainText('no node passes the constraints')
  await expect(window.policy).toContainText('Scenario: transfer on, copying forbidden, fresh facts required')
  await window.run('Reset the scenario')
  await expect(window.policy).not.toContainText('Scenario')
  await expect(window.policy.getByRole('switch', { name: 'Forbid copying weights' })).not.toBeChecked()
})
