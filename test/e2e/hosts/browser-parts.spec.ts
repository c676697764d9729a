import { expect, test } from '../../support/planner-fixture.ts'

test('a part of the window that could not be fetched says so, and comes when it is asked for again', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  await page.route('**/assets/dialogs-*.js', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Something went wrong in the dialog')).toBeVisible()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  await page.unroute('**/assets/dialogs-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Something went wrong in the dialog')).toBeHidden()
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByPlaceholder('Find a role or run a command')).toBeVisible()
})
