import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

test('says what would let a role run on each node, and tries it as a scenario', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await expect(window.adviceFor('gpu-box').getByRole('listitem')).toHaveText([
    'allow weight transfer Try',
    'copy 4.3 GB of Hermes-4.3-36B to gpu-box, then scan that node Try',
  ])
  await expect(window.adviceFor('archive-nas')).toHaveText(
    /^no single change is enough: runtime\.infer\.llamacpp is not installed on, or not reported by, this node; format\.gguf/,
  )
  await expect(window.adviceFor('mac-mini')).toHaveText(
    /runtime\.infer\.llamacpp is not installed on, or not reported by, this node/,
  )
  await expect(window.adviceFor('mac-studio')).toContainText(
    /^no single change is enough: weights are held elsewhere and allow_weight_transfer is off; 'hermes' /,
  )
  await window
    .adviceFor('gpu-box')
    .getByRole('button', { name: 'Try: allow weight transfer', exact: true })
    .click()
  await expect(window.allowTransfer).toBeChecked()
  await expect(window.policy).toContainText('Scenario: transfer on')
  await expect(window.verdict).toContainText('Fetch 1 shard (4.3 GB) to gpu-box')
  await expect(window.adviceFor('gpu-box')).toHaveText('could run here as things are')

  await window
    .adviceFor('mac-studio')
    .getByRole('button', { name: /^Try: stop coder-daily/ })
    .click()
  await expect(window.policy).toContainText('Scenario: transfer on, coder-daily off')
  await expect(window.role('coder-daily')).toContainText('switched off')
  await expect(window.adviceFor('mac-studio')).toHaveText('could run here as things are')
  await page.keyboard.press('Alt+Z')
  await page.keyboard.press('Alt+Z')
  await expect(window.policy).not.toContainText('Scenario')
  await expect(window.adviceFor('gpu-box')).toContainText('allow weight transfer')
})

test('frees memory by as much as is missing, no less', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('coder-small').click()
  await expect(window.adviceFor('mac-studio').getByRole('listitem')).toHaveText([
    // What can be done now comes before what needs a hand on the machine.
    'stop coder-compact, which holds 38.0 GB on mac-studio Try',
    'stop coder-daily, which holds 55.0 GB on mac-studio Try',
    'free 8.1 GB of memory on mac-studio Try',
  ])
  await window
    .adviceFor('mac-studio')
    .getByRole('button', { name: /^Try: free 8\.1 GB/ })
    .click()
  await expect(window.policy).toContainText('of memory free on mac-studio')
  await expect(window.onItsOwn).toBeHidden()
  await expect(window.role('coder-small')).toContainText('at mac-studio')
})

test('drops an exclude from the overlay’s text, one undo away', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const overlay = '# mine\nexcludes:\n  coder-small:\n    - coder-daily # too hot\n    - planner\n'
  await window.replaceYaml(overlay)
  await window.role('coder-compact').click()
  await window.explanation.getByRole('button', { name: 'What if, for coder-compact' }).click()
  await page.getByRole('menuitemcheckbox', { name: /^Switch it off/ }).click()
  await window.role('coder-small').click()
  await expect(window.verdict).toContainText(
    "On mac-studio: 'coder-small' cannot be resident beside 'coder-daily' ('coder-small' excludes it); on mac",
  )
  const drop = 'Try: drop the exclude of coder-daily by coder-small (~/llm/docs/models/overlay.yaml:4)'
  await window.adviceFor('mac-studio').getByRole('button', { name: drop }).click()
  await expect(window.onItsOwn).toBeHidden()
  await expect(window.role('coder-small')).toContainText('at mac-studio')
  await expect.poll(() => window.shownYaml()).toBe('# mine\nexcludes:\n  coder-small:\n    - planner\n')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await window.undo.click()
  await expect(window.onItsOwn).toBeVisible()
  await expect.poll(() => window.shownYaml()).toBe(overlay)
})

test('says what would run every role, and tries it all as one step', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const dialog = page.getByRole('dialog', { name: 'What would run every role' })
  await window.roster.getByRole('button', { name: 'What would run every role?' }).click()
  await expect(dialog.getByRole('status')).toContainText('every role runs')
  await expect(dialog.getByRole('listitem').first()).toHaveText('allow weight transfer')
  await dialog.getByRole('button', { name: 'Try them together' }).click()
  await expect(dialog).toBeHidden()
  await expect(window.roster.getByRole('button', { name: 'What would run every role?' })).toBeHidden()
  await expect(window.roster).toContainText('Can’t run 0')
  await page.keyboard.press('Alt+Z')
  await expect(window.policy).not.toContainText('Scenario')
  await expect(window.roster.getByRole('button', { name: 'What would run every role?' })).toBeVisible()
})
