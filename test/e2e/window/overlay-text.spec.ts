import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../../support/planner-fixture.ts'
import { SAMPLE_LAB } from '../../support/planner-home.ts'
import { drag, windowPage } from '../../support/window-page.ts'

const TALL = { width: 1440, height: 1400 }
const sampleOverlay = (): Promise<string> => readFile(join(SAMPLE_LAB, 'docs/models/overlay.yaml'), 'utf8')

test('undoes and redoes typing and dragging as one stack, in the editor and beside it', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  await page.setViewportSize(TALL)
  const window = windowPage(page)
  await window.editorReady()
  const start = await sampleOverlay()
  const typed = `${start}  planner: false\n`

  await window.yaml.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await window.paste('  planner: false\n')
  await expect.poll(window.shownYaml).toBe(typed)
  await expect(window.board.getByRole('switch', { name: 'Sticky planner' })).not.toBeChecked()
  await drag(window.chip('hermes'), window.column('Interactive'))
  const dragged = typed.replace(
    '  coder-small: interactive\n',
    '  coder-small: interactive\n  hermes: interactive\n',
  )
  await expect.poll(window.shownYaml).toBe(dragged)
  await expect(window.overlay).toContainText('2 unsaved edits')

  await window.yaml.focus()
  await page.keyboard.press('ControlOrMeta+Z')
  await expect.poll(window.shownYaml).toBe(typed)
  await expect(window.column('Batch').getByRole('button', { name: 'hermes', exact: true })).toBeVisible()
  await window.role('planner').click()
  await window.roster.getByRole('listbox').focus()
  await page.keyboard.press('ControlOrMeta+Z')
  await expect.poll(window.shownYaml).toBe(start)
  await expect(window.undo).toBeDisabled()
  await expect(window.board.getByRole('switch', { name: 'Sticky planner' })).toBeChecked()
  await page.keyboard.press('ControlOrMeta+Shift+Z')
  await expect.poll(window.shownYaml).toBe(typed)
  await window.yaml.focus()
  await page.keyboard.press('ControlOrMeta+Shift+Z')
  await expect.poll(window.shownYaml).toBe(dragged)
  await expect(window.redo).toBeDisabled()
})

test('takes letters typed in a row back at once', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.editorReady()
  await window.yaml.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('# mine ')
  await expect.poll(window.shownYaml).toContain('# mine # Operator overlay')
  await expect(window.overlay).toContainText('1 unsaved edit')
  await page.keyboard.press('ControlOrMeta+Z')
  await expect.poll(window.shownYaml).toMatch(/^# Operator overlay/)
  await expect(window.undo).toBeDisabled()
})

test('keeps the last good plan while the text is broken, says why, goes on when mended', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  await page.setViewportSize(TALL)
  const window = windowPage(page)
  await window.role('hermes').click()
  const broken = (await sampleOverlay()).replace('coder-small: interactive', 'coder-small: [interactive')
  await window.replaceYaml(broken)

  const off = window.board.getByRole('status', { name: 'Board disabled' })
  await expect(off).toContainText('Off until the text can be read again:')
  await expect(window.board.getByRole('switch', { name: 'Sticky hermes' })).toBeDisabled()
  await expect(window.chip('hermes')).toHaveAttribute('aria-disabled', 'true')
  await expect(window.explanation.getByRole('note')).toContainText('the overlay text has errors')
  await expect(page.getByText('Stale plan')).toBeVisible()
  await expect(page.getByText('overlay.yamlhas errors')).toBeVisible()
  await expect(window.role('coder-small').getByTitle('interactive from the overlay')).toBeVisible()
  await drag(window.chip('hermes'), window.column('Interactive'))
  await expect(window.column('Batch').getByRole('button', { name: 'hermes', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Export specs' }).click()
  await expect(window.dialog).toContainText('The overlay has errors; fix it before exporting.')
  await expect(window.dialog.getByRole('button', { name: 'Preview' })).toBeDisabled()
  await page.keyboard.press('Escape')

  await window.replaceYaml(broken.replace('[interactive', 'batch'))
  await expect(off).toBeHidden()
  await expect(page.getByText('Stale plan')).toBeHidden()
  await expect(window.explanation.getByRole('note')).toBeHidden()
  await expect(window.role('coder-small').getByTitle('batch from the overlay')).toBeVisible()
  await expect(window.board.getByRole('switch', { name: 'Sticky hermes' })).toBeEnabled()
})

test('goes from a problem to its line, and completes and explains names', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.replaceYaml('# mine\nlatency_class:\n  hermes: fast\n')
  await expect(window.board.getByRole('status', { name: 'Board disabled' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /1 error/ }).click()
  const problems = page.getByRole('dialog', { name: /^Problems/ })
  await problems.getByRole('button', { name: 'overlay.yaml:3:11' }).click()
  await expect(problems).toBeHidden()
  // The place is selected, so what is typed now replaces it.
  await window.yaml.focus()
  await window.paste('interactive')
  await expect.poll(window.shownYaml).toBe('# mine\nlatency_class:\n  hermes: interactive\n')
  await expect(window.role('hermes')).toContainText('interactive')

  await page.keyboard.press('ControlOrMeta+End')
  await window.paste('  vo')
  await page.keyboard.press('Control+Space')
  await expect(page.getByRole('option', { name: /voice-llm/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(window.shownYaml).toContain('  voice-llm')
  await page.keyboard.press('Escape')
  await window.overlay.getByText('hermes', { exact: true }).hover()
  await expect(page.getByText('archive-nas holds the model.').first()).toBeVisible()
})
