import type { Locator } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sizedLab, writeLab } from '../../support/lab-builder.ts'
import { expect, test } from '../../support/planner-fixture.ts'
import { SAMPLE_LAB } from '../../support/planner-home.ts'
import { drag, pickUp, windowPage } from '../../support/window-page.ts'

const OVERLAY = 'docs/models/overlay.yaml'

/** The sample lab's overlay with some of its text replaced: every other byte must stay. */
async function sampleOverlay(...edits: readonly (readonly [from: string, to: string])[]): Promise<string> {
  let text = await readFile(join(SAMPLE_LAB, OVERLAY), 'utf8')
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  return text
}

// Tall enough for the editor to show the whole overlay.
const TALL = { width: 1440, height: 1400 }

test('makes a role interactive by mouse: text and plan follow, comments stay, undo takes it back', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  await page.setViewportSize(TALL)
  const window = windowPage(page)
  await window.editorReady()
  const before = await sampleOverlay()
  const after = await sampleOverlay([
    '  coder-small: interactive\n',
    '  coder-small: interactive\n  coder-compact: interactive\n',
  ])
  await expect.poll(window.shownYaml).toBe(before)

  await drag(window.chip('coder-compact'), window.column('Interactive'))
  await expect(
    window.column('Interactive').getByRole('button', { name: 'coder-compact', exact: true }),
  ).toBeVisible()
  await expect.poll(window.shownYaml).toBe(after)
  await expect(window.role('coder-compact').getByTitle('interactive from the overlay')).toBeVisible()
  await window.role('coder-compact').click()
  await expect(window.explanation.getByRole('definition').filter({ hasText: 'interactive' })).toBeVisible()
  await expect(window.overlay).toContainText('1 unsaved edit')
  await expect(window.save).toBeEnabled()

  await window.undo.click()
  await expect.poll(window.shownYaml).toBe(before)
  await expect(
    window.column('Batch').getByRole('button', { name: 'coder-compact', exact: true }),
  ).toBeVisible()
  await expect(window.save).toBeDisabled()
  await window.redo.click()
  await expect.poll(window.shownYaml).toBe(after)
  await expect(
    window.column('Interactive').getByRole('button', { name: 'coder-compact', exact: true }),
  ).toBeVisible()
})

test('takes a role back to its default in the well', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  await page.setViewportSize(TALL)
  const window = windowPage(page)
  await window.editorReady()
  await drag(window.chip('voice-llm'), window.column('Batch'))
  await expect(window.role('voice-llm').getByTitle('batch from the overlay')).toBeVisible()
  await expect.poll(window.shownYaml).toContain('  voice-llm: batch')
  await drag(window.chip('voice-llm'), window.column('Back to default'))
  // The roster’s text makes it interactive again: its voice loop is bound to 30 ms.
  await expect(
    window.column('Interactive').getByRole('listitem').filter({ hasText: 'voice-llm' }),
  ).toContainText('roster text')
  await expect.poll(window.shownYaml).toBe(await sampleOverlay())
  await drag(window.chip('coder-small'), window.column('Back to default'))
  await expect(window.column('Batch').getByRole('listitem').filter({ hasText: 'coder-small' })).toContainText(
    'default',
  )
  await expect(window.role('coder-small')).not.toContainText('interactive')
  await expect.poll(window.shownYaml).not.toContain('coder-small')
})

test('forbids a pair by dropping a role on a card, allows it by dragging or crossing it out', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  await page.setViewportSize(TALL)
  const window = windowPage(page)
  await window.editorReady()
  const pill = (card: string, role: string): Locator =>
    window.card(card).getByRole('button', { name: `${role}, excluded by ${card}` })

  await drag(window.chip('coder-small'), window.card('hermes'))
  await expect(pill('hermes', 'coder-small')).toBeVisible()
  await expect.poll(window.shownYaml).toContain('    - role:planner\n    - coder-small\n')
  await expect(window.role('hermes').getByTitle(/coder-small/)).toHaveText('3')
  await expect(window.overlay.getByRole('status', { name: 'Overlay text' })).toContainText(
    '2 roles with excludes',
  )

  await drag(pill('hermes', 'coder-small'), window.column('Batch'))
  await expect(pill('hermes', 'coder-small')).toBeHidden()
  await expect.poll(window.shownYaml).toBe(await sampleOverlay())

  await drag(pill('hermes', 'planner'), window.column('Remove'))
  await expect(pill('hermes', 'planner')).toBeHidden()
  await window
    .card('planner')
    .getByRole('button', { name: 'Remove exclude coder-daily from planner' })
    .click()
  await expect(window.card('planner')).toBeHidden()
  const text = await window.shownYaml()
  expect(text).toContain('# Roles that cannot be resident beside each other (co-residency).')
  expect(text).toContain('  hermes:\n    - coder-daily\n')
  expect(text).not.toContain('planner')

  await drag(window.chip('planner'), window.column('New pair'))
  await drag(window.chip('coder-daily'), window.card('planner'))
  await expect(pill('planner', 'coder-daily')).toBeVisible()
  // Back to where the first exclude was dragged out again, which was two edits after the start.
  for (let undone = 0; undone < 3; undone++) await window.undo.click()
  await expect.poll(window.shownYaml).toBe(await sampleOverlay())
  for (let undone = 0; undone < 2; undone++) await window.undo.click()
  await expect(window.undo).toBeDisabled()
  await expect.poll(window.shownYaml).toBe(await sampleOverlay())
})

test('does everything by keyboard, and says what it does', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  await window.chip('coder-compact').focus()
  await pickUp(window, 'Column Batch: stays batch.')
  await press('ArrowLeft')
  await expect(window.told('Column Interactive: make interactive.')).toBeAttached()
  await press('Space')
  await expect(window.told('Dropped: coder-compact is now interactive.')).toBeAttached()
  // What was dropped keeps the focus, in its new column.
  await expect(
    window.column('Interactive').getByRole('button', { name: 'coder-compact', exact: true }),
  ).toBeFocused()

  await pickUp(window, 'Column Interactive: stays interactive.', 'Enter')
  await press('ArrowRight')
  await press('ArrowRight')
  await expect(window.told('Card of planner: cannot be beside planner.')).toBeAttached()
  await press('ArrowDown')
  await expect(window.told('Card of hermes: cannot be beside hermes.')).toBeAttached()
  await press('Enter')
  const pill = window.card('hermes').getByRole('button', { name: 'coder-compact, excluded by hermes' })
  await expect(pill).toBeVisible()

  await pill.focus()
  await pickUp(window, 'Card of hermes: stays.')
  await press('Escape')
  await expect(window.told('Cancelled; nothing changed.')).toBeAttached()
  await expect(pill).toBeVisible()
  await pickUp(window, 'Card of hermes: stays.')
  await press('ArrowDown')
  await expect(window.told(/remove/i)).toBeAttached()
  await press('Space')
  await expect(pill).toBeHidden()
  await press('ControlOrMeta+Z')
  await expect(pill).toBeVisible()
})

test('puts back what is dragged when Escape is pressed', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.chip('coder-compact').hover()
  await page.mouse.down()
  await window.column('Interactive').hover()
  await window.column('Interactive').hover({ position: { x: 20, y: 20 } })
  await expect(window.told('Column Interactive: make interactive.')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(window.told('Cancelled; nothing changed.')).toBeAttached()
  await page.mouse.up()
  await expect(
    window.column('Batch').getByRole('button', { name: 'coder-compact', exact: true }),
  ).toBeVisible()
  await expect(window.undo).toBeDisabled()
  await expect(window.save).toBeDisabled()
})

test('forbids a pair on any card of a latency column, and changes the class beside that part', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  const chip = window.chip('hermes')
  const from = await chip.boundingBox()
  const card = await page.locator('[data-pair="coder-small"]').locator('..').boundingBox()
  if (from === null || card === null) throw new Error('the board is not in view')
  const { mouse } = page
  await chip.hover()
  await mouse.down()
  await mouse.move(from.x + 40, from.y + 20, { steps: 4 })
  await mouse.move(card.x + card.width - 20, card.y + card.height / 2, { steps: 4 })
  await expect(window.told('cannot be beside coder-small')).toBeVisible()
  await mouse.up()
  await expect.poll(window.shownYaml).toMatch(/coder-small:\n +- hermes/)
  await expect(window.column('Batch').getByRole('button', { name: 'hermes', exact: true })).toBeVisible()
})

test('makes a role stay or move by its switch', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  await page.setViewportSize(TALL)
  const window = windowPage(page)
  await window.editorReady()
  const sticky = (role: string): Locator => window.board.getByRole('switch', { name: `Sticky ${role}` })
  await expect(sticky('swarm-micro')).not.toBeChecked()
  await sticky('hermes').click()
  await expect(sticky('hermes')).not.toBeChecked()
  await expect(window.role('hermes').getByTitle('not sticky: may move')).toBeVisible()
  await expect.poll(window.shownYaml).toContain('sticky:\n  swarm-micro: false\n  hermes: false')
  await sticky('swarm-micro').click()
  await expect(window.role('swarm-micro')).not.toContainText('moves')
  await expect.poll(window.shownYaml).toContain('  swarm-micro: true')
})

test('offers in a menu what dragging does', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  await page.setViewportSize(TALL)
  const window = windowPage(page)
  await window.editorReady()
  const choose = async (role: string, name: RegExp): Promise<void> => {
    await window.board.getByRole('button', { name: `More for ${role}` }).click()
    await page
      .getByRole('menu')
      .getByRole(/^Forbid/.test(name.source) ? 'menuitem' : 'menuitemcheckbox', { name })
      .click()
  }
  await choose('swarm-worker', /^Interactive/)
  await expect(
    window.column('Interactive').getByRole('button', { name: 'swarm-worker', exact: true }),
  ).toBeVisible()
  await choose('swarm-worker', /^Default/)
  await expect(
    window.column('Batch').getByRole('button', { name: 'swarm-worker', exact: true }),
  ).toBeVisible()
  await choose('swarm-worker', /^May move/)
  await expect(window.board.getByRole('switch', { name: 'Sticky swarm-worker' })).not.toBeChecked()
  await choose('swarm-worker', /Forbid beside/)
  const dialog = page.getByRole('dialog', { name: 'Roles swarm-worker cannot be beside' })
  await dialog.getByRole('textbox', { name: 'Filter roles' }).fill('voice')
  await dialog.getByRole('checkbox', { name: 'voice-llm' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(window.card('swarm-worker')).toContainText('voice-llm')
  await expect.poll(window.shownYaml).toMatch(/^ {2}swarm-worker: ?(\[.*voice-llm.*\]|\n {4}- .*voice-llm)/m)
  await choose('swarm-worker', /Forbid beside/)
  await dialog.getByRole('checkbox', { name: 'voice-llm' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(window.card('swarm-worker')).toBeHidden()
})

/** 256 roles, of which the first 100 are interactive; each has a card that names the next. */
async function writeLongLab(folder: string): Promise<void> {
  const ids = Array.from({ length: 256 }, (_, i) => `role-${String(i).padStart(3, '0')}`)
  const classes = ids.slice(0, 100).map((id) => `  ${id}: interactive\n`)
  const excludes = ids.map((id, i) => `  ${id}: [${ids[(i + 1) % 256] ?? ''}]\n`)
  await writeLab(folder, {
    ...sizedLab({ roles: 256, nodes: 2, shards: 1 }),
    overlay: `latency_class:\n${classes.join('')}excludes:\n${excludes.join('')}`,
  })
}

test('goes through a long column by keyboard, though only what is in view is drawn', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner({ lab: writeLongLab })
  const window = windowPage(page)
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  const batch = window.column('Batch')
  await window.chip('role-100').focus()
  expect(await window.board.getByRole('listitem').count()).toBeLessThan(100)
  const rowOf = (role: string): Locator => batch.getByRole('listitem').filter({ hasText: role })
  await expect(rowOf('role-100')).toHaveAttribute('aria-setsize', '156')

  await press('End')
  await expect(window.chip('role-255')).toBeFocused()
  await expect(window.chip('role-255')).toBeInViewport({ ratio: 0.99 })
  await expect(rowOf('role-255')).toHaveAttribute('aria-posinset', '156')
  await press('ArrowUp')
  await expect(window.chip('role-254')).toBeFocused()
  await press('Home')
  await expect(window.chip('role-100')).toBeFocused()
  await expect(window.chip('role-100')).toBeInViewport({ ratio: 0.99 })
  for (let at = 101; at <= 130; at++) await press('ArrowDown')
  await expect(window.chip('role-130')).toBeFocused()
  await expect(window.chip('role-130')).toBeInViewport({ ratio: 0.99 })

  // What has the focus is scrolled out of view: the arrow keys go on from it all the same.
  await batch.hover()
  await page.mouse.wheel(0, 9000)
  await expect(window.chip('role-255')).toBeInViewport()
  await expect(window.chip('role-130')).toBeFocused()
  await press('ArrowDown')
  await expect(window.chip('role-131')).toBeFocused()
  await expect(window.chip('role-131')).toBeInViewport({ ratio: 0.99 })
})

test('reaches a card that is out of view by keyboard', async ({ openPlanner }) => {
  const { page } = await openPlanner({ lab: writeLongLab })
  const window = windowPage(page)
  await window.chip('role-100').focus()
  await pickUp(window, 'Column Batch: stays batch.')
  await page.keyboard.press('ArrowRight')
  await expect(window.told('Card of role-000: cannot be beside role-000.')).toBeAttached()
  for (let at = 1; at <= 60; at++) {
    await page.keyboard.press('ArrowDown')
    await expect(window.told(`Card of role-${String(at).padStart(3, '0')}: `)).toBeAttached()
  }
  await expect(window.card('role-060')).toBeInViewport({ ratio: 0.99 })
  await page.keyboard.press('ArrowLeft')
  await expect(window.told('Column Batch: stays batch.')).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await expect(window.told(/Card of role-05\d: /)).toBeAttached()
  await page.keyboard.press('Space')
  await expect(window.told(/role-100 cannot be beside role-05\d now/)).toBeAttached()
  await expect(window.chip('role-100')).toBeFocused()
  await expect(window.board.getByRole('button', { name: /^role-100, excluded by role-05/ })).toBeInViewport()
})

test('shows where a drop has landed that is out of view', async ({ openPlanner }) => {
  const { page } = await openPlanner({ lab: writeLongLab })
  const window = windowPage(page)
  const inColumn = (name: 'Interactive' | 'Batch', role: string): Locator =>
    window.column(name).getByRole('button', { name: role, exact: true })
  await window.chip('role-100').focus()
  await page.keyboard.press('End')
  await expect(window.chip('role-255')).toBeFocused()
  await pickUp(window, 'Column Batch: stays batch.')
  await page.keyboard.press('ArrowLeft')
  await expect(window.told('make interactive')).toBeAttached()
  await page.keyboard.press('Space')
  await expect(inColumn('Interactive', 'role-255')).toBeFocused()
  await expect(inColumn('Interactive', 'role-255')).toBeInViewport({ ratio: 0.99 })

  await window.chip('role-099').focus()
  await expect(window.column('Batch').getByRole('button', { name: 'role-254', exact: true })).toBeInViewport()
  await drag(window.chip('role-099'), window.column('Batch'))
  await expect(inColumn('Batch', 'role-099')).toBeFocused()
  await expect(inColumn('Batch', 'role-099')).toBeInViewport({ ratio: 0.99 })
})

test('scrolls the cards while something is dragged at their edge, and keeps hold of it', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner({ lab: writeLongLab })
  const window = windowPage(page)
  const column = await window.column('Cannot be beside').boundingBox()
  if (column === null) throw new Error('The cards are not in view.')
  const holdAtEdge = async (dragged: Locator): Promise<void> => {
    await dragged.hover()
    await page.mouse.down()
    await page.mouse.move(column.x + column.width / 2, column.y + column.height / 2, { steps: 4 })
    await page.mouse.move(column.x + column.width / 2, column.y + column.height - 12, { steps: 8 })
  }
  await holdAtEdge(window.card('role-001').getByRole('button', { name: 'role-002, excluded by role-001' }))
  await expect(window.told(/Card of role-(0[4-9]|[12]\d)\d: move to role-/)).toBeAttached()
  await expect(window.card('role-001')).not.toBeInViewport()
  await window.column('Remove').hover()
  await expect(window.told('Remove.')).toBeAttached()
  await page.mouse.up()
  await expect(window.told('role-002 may be beside role-001 again')).toBeAttached()
  await expect(window.card('role-001')).toBeHidden()

  await holdAtEdge(window.chip('role-100'))
  await expect(window.told(/Card of role-[12]\d\d: cannot be beside role-/)).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(window.told('Cancelled; nothing changed.')).toBeAttached()
  await page.mouse.up()
  await expect(window.chip('role-100')).toBeInViewport()
})
