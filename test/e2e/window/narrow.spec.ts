import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage, type WindowPage } from '../../support/window-page.ts'

/** Everything that is used most can be seen and reached, pane by pane; nothing stands beyond the window's edge. */
async function expectNothingLost(window: WindowPage): Promise<void> {
  const { page } = window
  await expect(window.allowTransfer).toBeInViewport({ ratio: 0.99 })
  await expect(window.save).toBeInViewport({ ratio: 0.99 })
  for (const name of ['Export specs', 'Suggest']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 0.99 })
  }
  const tabs = page.getByRole('tablist', { name: 'Panes' })
  const panes = [
    ['Matrix', window.matrix.getByRole('grid', { name: 'Shard matrix' })],
    ['Explanation', window.verdict],
    ['Overlay', window.yaml],
    ['Board', window.column('Cannot be beside')],
  ] as const
  for (const [tab, content] of panes) {
    await tabs.getByRole('tab', { name: tab }).click()
    await expect(content).toBeInViewport()
  }
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(beyond).toBe(false)
}

test('shows panes as tabs from 800 × 500 on and at a zoom of 150 %, and loses nothing', async ({
  openPlanner,
}) => {
  test.slow()
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await window.replaceYaml('# being written\nlatency_class:\n  hermes: interactive\n')
  await page.setViewportSize({ width: 800, height: 500 })
  await expectNothingLost(window)
  await expect(window.roster.getByRole('listbox')).toBeInViewport()
  await expect(window.role('hermes')).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Overlay' }).click()
  await expect.poll(window.shownYaml).toContain('# being written')

  // The keys that go round the panes bring the tab of each to the front.
  await window.yaml.focus()
  await page.keyboard.press('F6')
  await expect(window.board).toBeFocused()
  await expect(page.getByRole('tab', { name: 'Board' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Shift+F6')
  await expect(window.overlay).toBeFocused()
  await page.keyboard.press('Alt+3')
  await expect(window.matrix.getByRole('grid', { name: 'Nodes' })).toBeVisible()
  await page.keyboard.press('Alt+1')

  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('tablist', { name: 'Panes' })).toBeHidden()
  for (let step = 0; step < 5; step++) await window.run('Zoom in')
  await expect(page.locator('html')).toHaveAttribute('data-room', 'tabs')
  await expectNothingLost(window)
  await page.setViewportSize({ width: 800, height: 500 })
  await expect(page.getByRole('tab', { name: 'Roster' })).toBeVisible()
  await expectNothingLost(window)
})
