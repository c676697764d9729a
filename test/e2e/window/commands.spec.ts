import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../../support/planner-fixture.ts'
import { windowPage } from '../../support/window-page.ts'

test('finds roles and runs commands from the palette', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+K')
  const palette = page.getByRole('dialog', { name: 'Search or run' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('swarm-w')
  await expect(palette.getByRole('option', { name: /^swarm-worker/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
  await expect(window.role('swarm-worker')).toHaveAttribute('aria-selected', 'true')
  await window.run('Allow or forbid weight transfer')
  await expect(window.verdict).toContainText('Fetch 1 shard')
  await window.run('Show the nodes')
  await expect(window.matrix.getByRole('grid', { name: 'Nodes' })).toBeVisible()
  await window.run('Export specs…')
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search or run a command' }).click()
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('no such thing')
  await expect(palette.getByText('Nothing matches.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Search or run a command' })).toBeFocused()
})

test('lists the shortcuts, the problems and a file with the line that is meant', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('hermes')).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toContainText('Save overlay')
  await expect(sheet).toContainText(/(Ctrl\+|⌘)S/)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()

  await page.keyboard.press('Alt+P')
  const problems = page.getByRole('dialog', { name: /^Problems \(\d+\)$/ })
  // Those of one kind are a row that opens.
  await expect(problems).not.toContainText('gpu-box was last checked')
  await problems.getByText('nodes were last checked too long ago').click()
  await expect(problems).toContainText('gpu-box was last checked')
  await problems.getByRole('button', { name: 'overlay.yaml:6:13' }).click()
  await expect(problems).toBeHidden()

  await page.getByRole('banner').getByRole('button', { name: 'queue.yaml' }).click()
  const file = page.getByRole('dialog', { name: 'queue.yaml' })
  await expect(file.getByText('# Measured roster of the model lab.')).toBeVisible()
  await expect(file).toContainText('~/llm/docs/models/queue.yaml')
  await file.getByRole('button', { name: 'Done' }).click()
  await expect(file).toBeHidden()
})

test('keeps the theme and the panes’ sizes over a reload', async ({ openPlanner }) => {
  const { page, configDir, reload } = await openPlanner()
  const window = windowPage(page)
  const html = page.locator('html')
  const remembered = async (): Promise<unknown> =>
    JSON.parse(await readFile(join(configDir, 'settings.json'), 'utf8').catch(() => '{}'))
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await window.run('Use the light theme')
  await expect(html).toHaveAttribute('data-theme', 'light')
  await expect.poll(remembered).toMatchObject({ theme: 'light' })

  const handle = page.getByRole('separator').first()
  const width = async (): Promise<number> => (await window.roster.boundingBox())?.width ?? 0
  const before = await width()
  await handle.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(width).toBeGreaterThan(before + 20)
  const after = await width()
  await expect
    .poll(remembered)
    .toMatchObject({ layout: { 'panes-columns': expect.stringContaining('roster') as unknown } })

  await reload()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await expect(window.role('hermes')).toBeVisible()
  await expect.poll(async () => Math.abs((await width()) - after)).toBeLessThan(2)
  await window.run('Use the dark theme')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await window.run('Follow the system’s theme')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
})

test('copies the explanation, the notes and the plan', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  const window = windowPage(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await window.role('hermes').click()
  await window.explanation.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect(window.messages).toContainText('Copied the explanation of hermes as Markdown')
  const explained = await clipboard()
  expect(explained).toContain('hermes')
  expect(explained).toContain('unplaceable: weights are held elsewhere and allow_weight_transfer is off')
  await window.explanation.getByRole('button', { name: 'Copy the notes' }).click()
  await expect(window.messages).toContainText('Copied the notes')
  expect((await clipboard()).split('\n')).toEqual(await window.notes.allTextContents())
  await window.run('Copy the plan as Markdown')
  await expect(window.messages).toContainText('Copied the plan as Markdown')
  expect(await clipboard()).toContain('| voice-llm')
})
