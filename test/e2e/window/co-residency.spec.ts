import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

const REFUSED =
  "'coder-small' needs 9.7 GB but only 3.0 GB of the 96.0 GB unified-memory budget is free " +
  '(held by coder-compact 38.0 GB, coder-daily 55.0 GB)'

test('names a role that does not fit on its own node, in sentence, list and nodes', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const notice = window.roster.getByRole('button', { name: /on its own node/ })
  await window.role('coder-small').click()
  await expect(notice).toHaveText('1 role does not fit on its own node')
  await expect(window.role('coder-small')).toContainText('no place beside the others')
  await expect(window.verdict).toContainText(
    'Cannot run: beside the other roles there is no place for it on mac-studio and mac-mini.' +
      `On mac-studio: ${REFUSED}; on mac-mini: ` +
      'weights are held elsewhere and allow_weight_transfer is off.',
  )

  await window.allowTransfer.click()
  await expect(window.verdict).toContainText(`9,400,007,520 bytes would move. On mac-studio: ${REFUSED}.`)
  await expect(window.verdict).toContainText('Fetch 9.4 GB to mac-mini')
  // The decision is the reference's and stays, as what the role would be by itself.
  await expect(window.onItsOwn).toHaveText(
    'On its own: run on mac-studio, which holds the whole model; nothing is copied.',
  )
  await expect(window.role('coder-small')).toContainText('fetch 9.4 GB → mac-mini, not mac-studio')
  await expect(notice).toHaveText('1 role does not fit on its own node: moving it adds 9.4 GB')
  await notice.click()
  await expect(notice).toHaveAttribute('aria-pressed', 'true')
  await expect(window.roster.getByRole('option')).toHaveText([/^coder-small/])
  await notice.click()
  await expect(window.roster.getByRole('option')).toHaveCount(8)

  await page.keyboard.press('Alt+3')
  await expect(window.node('mac-studio')).toContainText('no room for coder-small')
  await expect(window.node('mac-studio')).toContainText('94.4 GB used of 96.0 GB')
  await expect(window.node('mac-mini')).toContainText('9.7 GB used of 52.0 GB')
  await window.matrix.getByRole('button', { name: 'No room 1' }).click()
  await expect(window.matrix.getByRole('rowheader')).toHaveText([/^mac-studio/])
})

test('gives a role its room when an exclude keeps another one out, and takes it back', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('coder-small').click()
  await expect(window.onItsOwn).toBeVisible()
  await window.replaceYaml('excludes:\n  coder-compact: ["role:coder-daily"]\n')
  await expect(window.onItsOwn).toBeHidden()
  await window.role('coder-compact').click()
  await expect(window.verdict).toContainText(
    "On mac-studio: 'coder-compact' cannot be resident beside 'coder-daily' ('coder-compact' excludes it)",
  )
  await expect(window.role('coder-compact')).toContainText('no place beside the others')

  // The other way round it counts as much, and is told as declared.
  await window.replaceYaml('excludes:\n  coder-daily: [coder-compact]\n')
  await expect(window.verdict).toContainText(
    "On mac-studio: 'coder-compact' cannot be resident beside 'coder-daily' ('coder-daily' excludes it)",
  )
  await window.replaceYaml('# nothing\n')
  await expect(window.onItsOwn).toBeHidden()
  await window.role('coder-small').click()
  await expect(window.verdict).toContainText(REFUSED)
})
