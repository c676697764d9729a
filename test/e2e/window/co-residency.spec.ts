import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

const REFUSED =
  "'coder-small' needs 9.7 GB but only 3.0 GB of the 96.0 GB unified-memory budget is free " +
  '(held by coder-compact 38.0 GB, coder-daily 55.0 GB)'

test('tells a role that finds no room where it is decided, in sentence, list and nodes', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const notice = window.roster.getByRole('button', { name: /no room where decided/ })
  await window.role('coder-small').click()
  await expect(notice).toHaveText('1 role has no room where decided')
  await expect(window.role('coder-small')).toContainText('no room at mac-studio, mac-mini')
  await expect(window.beside).toContainText(
    `Has no room beside the other roles. On mac-studio: ${REFUSED}; ` +
      'on mac-mini: weights are held elsewhere and allow_weight_transfer is off.',
  )

  await window.allowTransfer.click()
  await expect(window.beside).toContainText(
    `Runs on mac-mini after fetching 9.4 GB instead of mac-studio: ${REFUSED}.`,
  )
  // The decision is the reference's and stays; only the placement beside it changes.
  await expect(window.verdict).toContainText('Run on mac-studio: it already holds the whole model')
  await expect(window.role('coder-small')).toContainText('runs on mac-mini, no room at mac-studio')
  await expect(notice).toHaveText('1 role has no room where decided, 9.4 GB more to move')
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
  await expect(window.beside).toBeVisible()
  await window.replaceYaml('excludes:\n  coder-compact: ["role:coder-daily"]\n')
  await expect(window.beside).toBeHidden()
  await window.role('coder-compact').click()
  await expect(window.beside).toContainText(
    "On mac-studio: 'coder-compact' cannot be resident beside 'coder-daily' ('coder-compact' excludes it)",
  )
  await expect(window.role('coder-compact')).toContainText('no room at mac-studio')

  // The other way round it counts as much, and is told as declared.
  await window.replaceYaml('excludes:\n  coder-daily: [coder-compact]\n')
  await expect(window.beside).toContainText(
    "On mac-studio: 'coder-compact' cannot be resident beside 'coder-daily' ('coder-daily' excludes it)",
  )
  await window.replaceYaml('# nothing\n')
  await expect(window.beside).toBeHidden()
  await window.role('coder-small').click()
  await expect(window.beside).toContainText(REFUSED)
})
