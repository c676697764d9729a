import { expect, test } from '../../support/planner-fixture.ts'
import { SAMPLE_LAB } from '../../support/planner-home.ts'
import { windowPage } from '../../support/window-page.ts'

/** What becomes of the sample lab while no weights may move: the list's line and the verdict's sentence. */
const IN_PLACE = (node: string) => ({
  line: `at ${node}`,
  verdict: `Run on ${node}: it already holds the whole model, nothing is copied.`,
  lastNote: `relocate: ${node} already holds every shard, nothing is copied`,
})
const TRANSFER_OFF = {
  line: 'transfer is off',
  verdict: 'Cannot run: the weights are on a node that cannot run it, and weight transfer is off.',
  lastNote: 'unplaceable: weights are held elsewhere and allow_weight_transfer is off',
}
const VERDICTS = {
  'coder-daily': IN_PLACE('mac-studio'),
  'coder-compact': IN_PLACE('mac-studio'),
  'coder-small': {
    line: 'no place beside the others',
    verdict: 'Cannot run: beside the other roles there is no place for it on mac-studio and mac-mini.',
    // The notes are of the role alone, as the reference has them.
    lastNote: IN_PLACE('mac-studio').lastNote,
  },
  planner: TRANSFER_OFF,
  hermes: TRANSFER_OFF,
  'swarm-worker': TRANSFER_OFF,
  'swarm-micro': IN_PLACE('mac-studio'),
  'voice-llm': IN_PLACE('gpu-box'),
}

const HERMES_NOTES = [
  'model Hermes-4.3-36B (3 shards, 24100017424 bytes)',
  'node archive-nas: eligible=false complete=true holds 3/3 shards',
  'node gpu-box: eligible=true complete=false holds 2/3 shards',
  'node mac-mini: eligible=false complete=false holds 0/3 shards',
  'node mac-studio: eligible=true complete=false holds 0/3 shards',
  'node pi-5: eligible=false complete=false holds 0/3 shards',
]

test('shows each role’s outcome in the list and in a sentence, and its notes', async ({ openPlanner }) => {
  const { page } = await openPlanner({ lab: 'none', args: ['--lab', SAMPLE_LAB] })
  const window = windowPage(page)
  await expect(window.roster.getByRole('option')).toHaveCount(Object.keys(VERDICTS).length)
  await expect(window.allowTransfer).not.toBeChecked()
  for (const [role, { line, verdict, lastNote }] of Object.entries(VERDICTS)) {
    await expect(window.role(role)).toContainText(line)
    await window.role(role).click()
    await expect(window.role(role)).toHaveAttribute('aria-selected', 'true')
    await expect(window.explanation).toContainText(role)
    await expect(window.verdict).toContainText(verdict)
    await expect(window.notes.last()).toHaveText(lastNote)
    await expect(window.matrix.getByRole('heading', { name: role, exact: true })).toBeVisible()
  }
})

test('fetches what transfer allows, and says so in the list, the matrix and the explanation', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await expect(window.notes).toHaveText([...HERMES_NOTES, TRANSFER_OFF.lastNote])
  await expect(window.matrix.getByRole('grid', { name: 'Shard matrix' })).toBeVisible()
  await expect(window.node('gpu-box')).toContainText('2 of 3')
  await expect(window.node('gpu-box')).not.toContainText('target')

  await window.allowTransfer.click()
  await expect(window.allowTransfer).toBeChecked()
  await expect(window.role('hermes')).toContainText('fetch 4.3 GB → gpu-box')
  await expect(window.verdict).toContainText(
    'Fetch 1 shard (4.3 GB) to gpu-box from archive-nas, then run there.',
  )
  await expect(window.verdict).toContainText('4,300,009,904 bytes would move.')
  await expect(window.notes).toHaveText([
    ...HERMES_NOTES,
    'fetch: gpu-box gets 1 shard(s), 4300009904 bytes, from archive-nas',
  ])
  await expect(window.node('gpu-box')).toContainText('target')
  await expect(window.node('archive-nas')).toContainText('source')
  await expect(window.roster).toContainText('21.1 GB to move')

  await window.role('swarm-worker').click()
  await expect(window.role('swarm-worker')).toContainText('fetch 7.4 GB → gpu-box')
  await expect(window.verdict).toContainText(
    'Fetch 1 shard (7.4 GB) to gpu-box from archive-nas and mac-mini, then run there.',
  )
  await expect(window.notes.last()).toHaveText(
    'fetch: gpu-box gets 1 shard(s), 7390001712 bytes, from archive-nas,mac-mini',
  )
  await expect(window.node('mac-mini')).toContainText('source')
  for (const role of ['coder-daily', 'coder-compact', 'swarm-micro', 'voice-llm'] as const) {
    await expect(window.role(role)).toContainText(VERDICTS[role].line)
  }

  // A role for which the others leave no place on its own node has one outcome too, wherever it is shown.
  await expect(window.role('coder-small')).toContainText('fetch 9.4 GB → mac-mini, not mac-studio')
  await window.role('coder-small').click()
  await expect(window.verdict).toContainText('then run there instead of on mac-studio.')
  await expect(window.onItsOwn).toHaveText(
    'On its own: run on mac-studio, which holds the whole model; nothing is copied.',
  )
})

test('keeps planner unplaceable with transfer on, and says why', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.allowTransfer.click()
  await window.role('planner').click()
  await expect(window.role('planner')).toContainText('not redistributable')
  await expect(window.verdict).toContainText('they may not be copied (not redistributable)')
  await expect(window.verdict).toContainText(
    'Its manifest is not marked redistributable, so it may not be copied even with weight transfer on.',
  )
  await expect(window.notes.last()).toHaveText(
    'unplaceable: weights are held elsewhere and the manifest is not marked redistributable',
  )
  const constraints = window.explanation.getByRole('region', { name: 'Constraints' })
  await expect(constraints.getByRole('row', { name: /^archive-nas/ })).toContainText(
    'runtime.infer.mlx-lm is not installed on, or not reported by, this node',
  )
  await expect(constraints.getByRole('row', { name: /^mac-studio/ })).toContainText(
    'needs 55.0 GB, 96.0 GB free in the unified pool',
  )
})

test('groups the skipped entries with their reasons', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const skipped = windowPage(page).roster.getByRole('region', { name: 'Skipped entries' })
  const head = skipped.getByRole('button', { name: 'Skipped 5' })
  await expect(head).toHaveAttribute('aria-expanded', 'false')
  await head.click()
  await expect(skipped.getByRole('listitem')).toHaveText([
    'coder-nextalias of coder-daily (same server, port and weights)',
    'vlmbackend "mlx_vlm" has no inference adapter',
    'ttsbackend "mlx-audio" has no inference adapter',
    'embedbackend "sentence-transformers" has no inference adapter',
    'scoutram_gb is missing or not a number',
  ])
})
