import type { Page } from '@playwright/test'
import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage, type WindowPage } from '../../support/window-page.ts'

const TRANSFER_OFF = 'cannot run: weights are held elsewhere and allow_weight_transfer is off'
const NOT_REDISTRIBUTABLE =
  'cannot run: weights are held elsewhere and the manifest is not marked redistributable'

const OVERLAY = `excludes:
  planner: [coder-daily]
  hermes: [coder-daily, planner]
latency_class:
  coder-small: interactive
sticky:
  swarm-micro: false
`

function changesDialog(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Changes since the baseline' })
  return {
    dialog,
    row: (role: string) =>
      dialog.getByRole('row').filter({ has: page.getByRole('rowheader', { name: role }) }),
  }
}

/** How the pinned plan and the present one differ, as the policy bar counts it. */
function difference({ policy }: WindowPage, text: string) {
  return policy.getByRole('button', { name: text, exact: true })
}

test('pins a baseline and sets both explanations side by side, what differs marked', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await expect(window.compared).toBeHidden()
  await window.policy.getByRole('button', { name: 'Pin baseline' }).click()
  await expect(window.notes).toHaveCount(0)
  await expect(difference(window, 'No role differs')).toBeDisabled()
  const columns = window.compared.getByRole('table')
  await expect(columns.getByRole('columnheader')).toHaveText(['Baseline', 'Now'])
  await expect(columns.getByRole('cell', { name: /^differs:/ })).toHaveCount(0)

  await window.allowTransfer.click()
  await expect(difference(window, '4 roles differ')).toBeEnabled()
  await expect(columns.getByRole('row').nth(1).getByRole('cell')).toHaveText([
    'Cannot run: the weights are on a node that cannot run it, and weight transfer is off.',
    'Fetch 1 shard (4.3 GB) to gpu-box from archive-nas, then run there.',
  ])
  await expect(columns.getByRole('row', { name: /^node gpu-box: / }).getByRole('cell')).toHaveText([
    'node gpu-box: eligible=true complete=false holds 2/3 shards',
    'node gpu-box: eligible=true complete=false holds 2/3 shards',
  ])
  await expect(columns.getByRole('cell', { name: /^differs:/ })).toHaveText([
    'differs: fetch: gpu-box gets 1 shard(s), 4300009904 bytes, from archive-nas',
  ])
  await expect(columns.getByRole('row').last().getByRole('cell').first()).toHaveText(
    'unplaceable: weights are held elsewhere and allow_weight_transfer is off',
  )
  await window.role('coder-daily').click()
  await expect(columns.getByRole('cell', { name: /^differs:/ })).toHaveCount(0)

  await window.policy.getByRole('button', { name: 'Unpin baseline' }).click()
  await expect(window.policy.getByRole('button', { name: 'Pin baseline' })).toBeVisible()
  await expect(window.compared).toBeHidden()
  await expect(window.notes.last()).toHaveText(
    'relocate: mac-studio already holds every shard, nothing is copied',
  )
})

test('shows from what to what each role changed and that the policy caused it', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const { dialog, row } = changesDialog(page)
  await expect(window.role('hermes')).toBeVisible()
  const compare = window.explanation.getByRole('button', { name: 'Compare', exact: true })
  await compare.click()
  await expect(compare).toHaveAttribute('aria-pressed', 'true')
  await window.allowTransfer.click()
  await difference(window, '4 roles differ').click()
  await expect(dialog.getByRole('rowheader')).toHaveText(['coder-small', 'planner', 'hermes', 'swarm-worker'])
  await expect(row('hermes').getByRole('cell')).toHaveText([
    TRANSFER_OFF,
    /^fetch 4\.3 GB to gpu-box/,
    'weight transfer: off → on',
  ])
  await expect(row('hermes')).toContainText('fetched from: none → archive-nas')
  await expect(row('hermes')).not.toContainText('decision')
  await expect(row('planner').getByRole('cell')).toHaveText([
    TRANSFER_OFF,
    new RegExp(`^${NOT_REDISTRIBUTABLE}`),
    'weight transfer: off → on',
  ])
  // On its own it would stay where it is; what changed is that the others now leave it a way out.
  await expect(row('coder-small').getByRole('cell')).toHaveText([
    /^cannot run: 'coder-small' needs 9\.7 GB but only 3\.0 GB of the 96\.0 GB unified-memory budget is free/,
    /^fetch 9\.4 GB to mac-mini instead of mac-studio/,
    'weight transfer: off → on',
  ])
  await row('swarm-worker').getByRole('button', { name: 'swarm-worker' }).click()
  await expect(dialog).toBeHidden()
  await expect(window.role('swarm-worker')).toHaveAttribute('aria-selected', 'true')

  await compare.click()
  await expect(compare).toHaveAttribute('aria-pressed', 'false')
  await expect(window.policy.getByRole('button', { name: 'Pin baseline' })).toBeVisible()
})

test('names the overlay line that did it, also for a role the line is not about', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const { row } = changesDialog(page)
  await window.replaceYaml(OVERLAY)
  await window.role('coder-small').click()
  await expect(window.verdict).toContainText('Cannot run: beside the other roles there is no place for it')
  await page.keyboard.press('Alt+B')
  await expect(difference(window, 'No role differs')).toBeVisible()
  await window.replaceYaml(OVERLAY.replace('excludes:\n', 'excludes:\n  coder-compact: [coder-daily]\n'))
  await difference(window, '2 roles differ').click()
  const cause = 'coder-compact now excludes coder-daily (~/llm/docs/models/overlay.yaml:2)'
  await expect(row('coder-compact').getByRole('cell').last()).toHaveText(cause)
  await expect(row('coder-compact').getByRole('cell').first()).toHaveText('in place at mac-studio')
  await expect(row('coder-compact').getByRole('cell').nth(1)).toContainText(
    "cannot run: 'coder-compact' cannot be resident beside 'coder-daily'",
  )
  await expect(row('coder-small').getByRole('cell').last()).toHaveText(cause)
  await expect(row('coder-small').getByRole('cell').first()).toContainText('cannot run:')
  await expect(row('coder-small').getByRole('cell').nth(1)).toContainText('in place at mac-studio')
  await page.keyboard.press('Escape')

  await window.replaceYaml(OVERLAY.replace('coder-small: interactive', 'coder-small: batch'))
  await difference(window, '1 role differs').click()
  await expect(row('coder-small').getByRole('cell').last()).toHaveText(
    'latency_class of coder-small: interactive → batch (~/llm/docs/models/overlay.yaml:5)',
  )
})

test('shows which of several inputs caused a change, and which caused none', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const { dialog, row } = changesDialog(page)
  await expect(window.role('hermes')).toBeVisible()
  await page.keyboard.press('Alt+B')
  await window.policy.getByRole('textbox', { name: 'Ceiling in GiB' }).fill('100')
  await expect(window.policy).toContainText('ceiling 100 GiB')
  await page.keyboard.press('Alt+C')
  await expect(dialog).toContainText('No role changed')
  await expect(dialog).toContainText('1 input differs, without effect on any role.')
  await expect(dialog.getByRole('listitem')).toHaveText(['ceiling: none → 100 GiB'])
  await page.keyboard.press('Escape')

  await window.allowTransfer.click()
  await window.board.getByRole('switch', { name: 'Sticky hermes' }).click()
  await page.keyboard.press('Alt+C')
  const did = row('hermes').getByRole('cell').last()
  await expect(did).toContainText('weight transfer: off → on')
  await expect(did).toContainText('sticky of hermes: not given → false (~/llm/docs/models/overlay.yaml:')
  await expect(row('swarm-worker').getByRole('cell').last()).toHaveText('weight transfer: off → on')
  await expect(
    dialog.getByRole('region', { name: 'Differences without effect' }).getByRole('listitem'),
  ).toHaveText(['ceiling: none → 100 GiB'])
})

test('moves nothing below the policy when a baseline is pinned and something assumed', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  const top = async () => (await window.roster.boundingBox())?.y
  const before = await top()
  await window.policy.getByRole('button', { name: 'Pin baseline' }).click()
  await window.allowTransfer.click()
  await window.policy.getByRole('switch', { name: 'Forbid copying weights' }).click()
  await window.policy.getByRole('textbox', { name: 'Ceiling in GiB' }).fill('1000.125')
  await expect(window.policy).toContainText('ceiling 1000.125 GiB')
  await expect(window.policy.getByRole('button', { name: /differ$/ })).toBeVisible()
  expect(await top()).toBe(before)
})
