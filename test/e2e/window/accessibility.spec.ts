import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { seriousViolations } from '../../support/axe-check.ts'
import { writeLab } from '../../support/lab-builder.ts'
import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

const ROSTER = 'roster:\n- {id: first, name: First-7B, backend: llamacpp, ram_gb: 7}\n'

async function expectNoneIn(page: Page, screen: string): Promise<void> {
  expect.soft(await seriousViolations(page), screen).toEqual([])
}

for (const theme of ['light', 'dark'] as const) {
  test(`has no serious violation on any screen (${theme})`, async ({ openPlanner }) => {
    test.slow()
    const { page, labDir } = await openPlanner({ settings: { theme } })
    const window = windowPage(page)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await window.role('hermes').click()
    await window.editorReady()
    await expectNoneIn(page, 'the window')
    await window.allowTransfer.click()
    await window.roster.getByRole('button', { name: /^Skipped/ }).click()
    await expectNoneIn(page, 'a role to fetch')
    await page.keyboard.press('Alt+2')
    await expect(window.matrix.getByRole('grid', { name: 'Lab matrix' })).toBeVisible()
    await expectNoneIn(page, 'the lab view')
    await page.keyboard.press('Alt+3')
    await expect(window.matrix.getByRole('grid', { name: 'Nodes' })).toBeVisible()
    await expectNoneIn(page, 'the nodes view')
    await page.keyboard.press('Alt+1')

    const dialogs: readonly (readonly [name: string, open: () => Promise<void>])[] = [
      ['Search or run', () => page.keyboard.press('ControlOrMeta+K')],
      ['Keyboard shortcuts', () => page.keyboard.press('?')],
      ['Problems', () => page.keyboard.press('Alt+P')],
      ['Open lab', () => page.keyboard.press('ControlOrMeta+O')],
      ['Export', () => page.keyboard.press('ControlOrMeta+E')],
      ['queue.yaml', () => page.getByRole('banner').getByRole('button', { name: 'queue.yaml' }).click()],
    ]
    await window.roster.getByRole('listbox').focus()
    for (const [name, open] of dialogs) {
      await open()
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      await expectNoneIn(page, `the dialog ${name}`)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await window.board.getByRole('button', { name: 'More for hermes' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectNoneIn(page, 'the menu of a role')
    await page.getByRole('menuitem', { name: 'Forbid beside…' }).click()
    await expect(page.getByRole('dialog', { name: 'Roles hermes cannot be beside' })).toBeVisible()
    await expectNoneIn(page, 'the dialog of excludes')
    await page.keyboard.press('Escape')

    await window.replaceYaml('latency_class:\n  hermes: fast\n')
    await expect(window.board.getByRole('status', { name: 'Board disabled' })).toBeVisible()
    await expectNoneIn(page, 'a broken overlay')
    await window.replaceYaml('latency_class:\n  hermes: interactive\n')
    await writeFile(join(labDir, 'docs/models/overlay.yaml'), '# theirs\n')
    await expect(window.overlay.getByRole('alert')).toBeVisible()
    await expectNoneIn(page, 'an outside change')
    await window.overlay.getByRole('button', { name: 'Compare' }).click()
    await expect(page.getByRole('dialog', { name: 'Compare overlay.yaml' })).toContainText('theirs')
    await expectNoneIn(page, 'the comparison')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+S')
    await expect(page.getByRole('dialog', { name: 'The overlay’s file has changed on disk' })).toBeVisible()
    await expectNoneIn(page, 'the conflict')
    await page.keyboard.press('Escape')

    await writeFile(join(labDir, 'docs/models/queue.yaml'), '')
    await expect(window.matrix.getByText('No role to show')).toBeVisible()
    await expectNoneIn(page, 'an empty roster')
    await rm(labDir, { recursive: true })
    await expect(page.getByText('This is the last good reading of the lab')).toBeVisible()
    await expectNoneIn(page, 'a lab that is away')
  })

  test(`has no serious violation where there is no roster (${theme})`, async ({ openPlanner }) => {
    const { page, labDir } = await openPlanner({
      settings: { theme },
      lab: (folder) => writeLab(folder, { overlay: '' }),
    })
    await expect(page.getByText('has no roster')).toBeVisible()
    await expectNoneIn(page, 'no roster')
    await writeLab(labDir, { roster: 'roster: [\n' })
    await expect(page.getByText('cannot be read').first()).toBeVisible()
    await expectNoneIn(page, 'a broken roster')
    await writeLab(labDir, { roster: ROSTER })
    await expect(windowPage(page).matrix.getByText('The lab has no nodes')).toBeVisible()
    await expectNoneIn(page, 'no nodes and no registry')
  })
}

test('keeps switches, selection, dots and bars visible where the system chooses the colours', async ({
  openPlanner,
}) => {
  test.slow()
  const { page } = await openPlanner()
  const window = windowPage(page)
  await page.emulateMedia({ forcedColors: 'active' })
  await window.role('hermes').click()
  await window.editorReady()
  await window.allowTransfer.click()
  await expect(page.locator('.monaco-editor').first()).toHaveClass(/hc-(light|black)/)
  const look = (of: Locator, property: string): Promise<string> =>
    of.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  const track = (name: string): Locator => page.getByRole('switch', { name }).locator('span').first()
  expect(await look(track('Allow weight transfer'), 'background-color')).not.toBe(
    await look(track('Require fresh facts'), 'background-color'),
  )
  expect(await look(window.role('hermes'), 'border-left-width')).not.toBe(
    await look(window.role('planner'), 'border-left-width'),
  )
  const canvas = await look(page.locator('body'), 'background-color')
  const dot = page.getByRole('banner').getByRole('button', { name: 'queue.yaml' }).locator('span').first()
  expect(await look(dot, 'background-color')).not.toBe(canvas)
  await expectNoneIn(page, 'the window in forced colours')
  await page.keyboard.press('Alt+3')
  const resident = window.matrix.getByRole('row', { name: /^mac-studio/ }).getByTitle(/^coder-daily \d/)
  expect(await look(resident, 'background-color')).not.toBe(canvas)
  await expectNoneIn(page, 'the nodes in forced colours')
  for (const key of ['ControlOrMeta+K', '?', 'Alt+P', 'ControlOrMeta+E', 'ControlOrMeta+O']) {
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoneIn(page, `the dialog of ${key} in forced colours`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

test('has no serious violation where panes are tabs', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await window.role('hermes').click()
  await page.setViewportSize({ width: 800, height: 500 })
  for (const tab of ['Matrix', 'Explanation', 'Overlay', 'Board']) {
    await page.getByRole('tab', { name: tab }).click()
    await expectNoneIn(page, `the tab ${tab}`)
  }
})
