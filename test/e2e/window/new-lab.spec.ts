import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { seriousViolations } from '../../support/axe-check.ts'
import { writeOllamaModel } from '../../support/model-trees.ts'
import { expect, test, type OpenOptions } from '../../support/planner-fixture.ts'
import { writeTree } from '../../support/temp-folder.ts'
import { gguf } from '../../support/weight-files.ts'
import { windowPage } from '../../support/window-page.ts'

/** A home with two GGUF files and an Ollama store, and no lab at all. */
const NO_LAB: OpenOptions = {
  programs: {
    'llama-server': 'echo "version: 6527 (7f76692)" >&2',
    ollama: 'echo "ollama version is 0.12.3"',
  },
  lab: async (labDir) => {
    const home = join(labDir, '..')
    await writeTree(home, {
      'models/Alpha-8B-Q4.gguf': gguf({ fill: 'a' }),
      'models/Beta-8B-Q4.gguf': gguf({ fill: 'b' }),
    })
    await writeOllamaModel(join(home, '.ollama/models'), 'gamma', '8b', [
      { type: 'model', content: gguf({ fill: 'c' }).toString('latin1') },
    ])
  },
}

function newLab(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'New lab' })
  return {
    dialog,
    entries: dialog.getByRole('table', { name: 'Proposed entries' }).getByRole('row'),
    preview: dialog.getByLabel('Preview of the roster'),
    field: (name: string) => dialog.getByRole('textbox', { name, exact: true }),
    button: (name: string) => dialog.getByRole('button', { name }),
  }
}

test('from a machine with models and no lab to a first plan in at most six clicks and without typing', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner(NO_LAB)
  const window = windowPage(page)
  const { dialog, entries, preview, button } = newLab(page)
  let clicks = 0
  const click = async (name: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name }).click()
    clicks++
  }
  await click('Make my own…')
  await expect(dialog.getByRole('status')).toHaveText(
    '3 entries are proposed for ~/llm/docs/models/queue.yaml, which is not there yet.',
  )
  await expect(entries).toHaveCount(4)
  await expect(preview).toContainText('- id: alpha-8b-q4')
  const text = (await preview.textContent()) ?? ''
  await expect(button('Write the roster')).toBeEnabled()
  await click('Write the roster')
  const scan = page.getByRole('dialog', { name: 'Scan models and this machine' })
  await expect(scan).toBeVisible()
  expect(await readFile(join(labDir, 'docs/models/queue.yaml'), 'utf8')).toBe(text)
  await click('Look for models')
  await click(/^Scan 3 models/)
  await expect(scan.getByRole('status')).toContainText(
    '3 manifests written, this machine’s facts written as ',
  )
  await click('Done')
  expect(clicks).toBeLessThanOrEqual(6)
  for (const id of ['alpha-8b-q4', 'beta-8b-q4', 'gamma:8b']) {
    await expect(window.role(id)).toContainText(/at \S+$/)
  }
})

test('the table edits what is written, and says which fields are wrong', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner(NO_LAB)
  const { dialog, preview, field, button } = newLab(page)
  await page.getByRole('button', { name: 'Make my own…' }).click()
  await field('Role of alpha-8b-q4').fill('coder')
  await expect(preview).toContainText('- id: coder')
  expect(await seriousViolations(page)).toEqual([])
  await field('Memory of coder').fill('many')
  await expect(dialog).toContainText('the GB that it takes, such as 8.5')
  await expect(button('Write the roster')).toBeDisabled()
  await field('Memory of coder').fill('8.5')
  await field('Port of beta-8b-q4').fill('70000')
  await expect(dialog).toContainText('a port, 1 to 65535')
  await dialog.getByRole('checkbox', { name: 'Use beta-8b-q4' }).uncheck()
  await expect(preview).toContainText('ram_gb: 8.5')
  await expect(preview).not.toContainText('beta-8b-q4')
  await button('Write the roster').click()
  await expect(page.getByRole('dialog', { name: 'Scan models and this machine' })).toBeVisible()
  const roster = await readFile(join(labDir, 'docs/models/queue.yaml'), 'utf8')
  expect(roster).toContain('- id: coder')
  expect(roster).not.toContain('beta')
})

test('a roster that is there is never written: new entries are shown to be copied', async ({
  openPlanner,
}) => {
  const own = 'roster:\n- {id: a, name: Alpha-8B-Q4, backend: llamacpp, ram_gb: 1, port: 8090}\n'
  const { page, labDir } = await openPlanner({
    ...NO_LAB,
    lab: async (folder) => {
      if (typeof NO_LAB.lab === 'function') await NO_LAB.lab(folder)
      await writeTree(folder, { 'docs/models/queue.yaml': own })
    },
  })
  const { dialog, preview, button } = newLab(page)
  await page.getByRole('button', { name: 'llm' }).click()
  await page.getByRole('menuitem', { name: 'New lab…' }).click()
  await expect(dialog.getByRole('status')).toContainText('is there and stays as it is. 2 entries are new')
  await expect(preview).toHaveText(/beta-8b-q4/)
  await expect(preview).not.toHaveText(/roster:/)
  await expect(button('Copy the entries')).toBeEnabled()
  await expect(button('Write the roster')).toHaveCount(0)
  expect(await readFile(join(labDir, 'docs/models/queue.yaml'), 'utf8')).toBe(own)
})

test('a roster that comes while the table is open is not written over', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner(NO_LAB)
  const { dialog, button } = newLab(page)
  await page.getByRole('button', { name: 'Make my own…' }).click()
  await expect(button('Write the roster')).toBeEnabled()
  await writeTree(labDir, { 'docs/models/queue.yaml': 'roster: []\n' })
  await button('Write the roster').click()
  await expect(dialog.getByRole('alert')).toContainText('A roster is there already')
  expect(await readFile(join(labDir, 'docs/models/queue.yaml'), 'utf8')).toBe('roster: []\n')
})

test('a lab without a roster leads to a new one in one click', async ({ openPlanner }) => {
  const { page } = await openPlanner({
    ...NO_LAB,
    lab: async (folder) => {
      if (typeof NO_LAB.lab === 'function') await NO_LAB.lab(folder)
      await writeTree(folder, { 'docs/models/.keep': '' })
    },
  })
  await expect(page.getByText('is a YAML list of the model servers that you want to run')).toBeVisible()
  await page.getByRole('button', { name: 'New lab…' }).click()
  await expect(newLab(page).entries).toHaveCount(4)
})

test('a machine without any model says where models would be looked for', async ({ openPlanner }) => {
  const { page } = await openPlanner({ lab: 'none' })
  await page.getByRole('button', { name: 'Make my own…' }).click()
  const { dialog, button } = newLab(page)
  await expect(dialog).toContainText('No models were found')
  await expect(button('Write the roster')).toBeDisabled()
  await expect(button('Look in another folder…')).toBeVisible()
})
