import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { seriousViolations } from '../../support/axe-check.ts'
import { writeLab } from '../../support/lab-builder.ts'
import { writeModels } from '../../support/model-trees.ts'
import { expect, test } from '../../support/planner-fixture.ts'
import { writeTree } from '../../support/temp-folder.ts'
import { assumeOfNode, chooseFile, chooseFolder, windowPage } from '../../support/window-page.ts'

async function expectNoneIn(page: Page, screen: string): Promise<void> {
  expect.soft(await seriousViolations(page), screen).toEqual([])
}

/** Closes the dialog that is open. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}

for (const theme of ['light', 'dark'] as const) {
  test(`has no serious violation where plans are compared and suggested (${theme})`, async ({
    openPlanner,
  }) => {
    test.slow()
    const { page } = await openPlanner({ settings: { theme } })
    const window = windowPage(page)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await window.role('coder-small').click()
    await window.editorReady()
    await page.keyboard.press('Alt+B')
    await window.allowTransfer.click()
    await expect(window.compared.getByRole('table')).toBeVisible()
    await expect(window.adviceFor('pi-5')).toContainText('no single change is enough')
    await expectNoneIn(page, 'two explanations side by side')
    await window.explanation.getByRole('button', { name: 'What if, for coder-small' }).click()
    await expectNoneIn(page, 'what may be assumed of a role')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+C')
    await expect(window.dialog.getByRole('table', { name: 'Changed roles' })).toBeVisible()
    await expectNoneIn(page, 'the changes since the baseline')
    await close(page)

    // Less memory than is planned with, so that a better plan can be found.
    await window.allowTransfer.click()
    await assumeOfNode(window, 'mac-studio', /^Assume memory/)
    await window.dialog.getByRole('textbox', { name: 'Memory free in GiB' }).fill('56')
    await window.dialog.getByRole('button', { name: 'Done' }).click()
    await window.policy.getByRole('button', { name: 'Suggest' }).click()
    await expectNoneIn(page, 'asking for a suggestion')
    await window.dialog.getByRole('button', { name: 'Find a plan' }).click()
    await expect(window.dialog.getByRole('table', { name: 'Suggested nodes' })).toBeVisible()
    await expectNoneIn(page, 'a suggestion')
    await page.setViewportSize({ width: 1024, height: 480 })
    await expectNoneIn(page, 'a suggestion in a small window')
    await window.dialog.getByRole('button', { name: 'Try it as a scenario' }).click()
    await expect(window.messages).toContainText('The suggestion is a scenario now')
    await expectNoneIn(page, 'a suggestion tried')
  })

  test(`has no serious violation where scenarios are made, opened and exported (${theme})`, async ({
    openPlanner,
  }) => {
    test.slow()
    const planner = await openPlanner({ settings: { theme } })
    const { page, home } = planner
    const window = windowPage(page)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await window.role('hermes').click()
    await assumeOfNode(window, 'gpu-box', /^Assume memory or space/)
    await window.dialog.getByRole('textbox', { name: 'Memory free in GiB' }).fill('lots')
    await window.dialog.getByRole('textbox', { name: 'Storage free in GiB' }).fill('8')
    await expectNoneIn(page, 'assuming memory and space')
    await close(page)

    await mkdir(join(home, 'scenarios'))
    await writeFile(
      join(home, 'scenarios/broken.json'),
      '{ "schema": "lab-planner.scenario.v1", "max_bytes": 5 }',
    )
    await window.run('Open a saved scenario')
    await chooseFile(planner, 'scenarios/broken.json')
    await expect(window.dialog.getByRole('alert')).toBeVisible()
    await expectNoneIn(page, 'a broken scenario file')
    await close(page)

    for (const step of ['new', 'changed'] as const) {
      await page.keyboard.press('ControlOrMeta+E')
      await chooseFolder(planner, 'specs')
      await expectNoneIn(page, `choosing ${step} exports`)
      await window.dialog.getByRole('button', { name: 'Preview' }).click()
      await expect(window.dialog.getByRole('list', { name: 'Files' })).toContainText(step)
      await expectNoneIn(page, `the preview of ${step} exports`)
      await window.dialog.getByRole('button', { name: 'Write files' }).click()
      await expect(window.dialog.getByRole('list', { name: 'Written files' })).toBeVisible()
      await page.setViewportSize({ width: 1024, height: 320 })
      await expectNoneIn(page, `the result of ${step} exports`)
      await page.setViewportSize({ width: 1440, height: 900 })
      await window.dialog.getByRole('button', { name: 'Done' }).click()
      await window.board.getByRole('switch', { name: 'Sticky hermes' }).click()
    }

    await window.board.getByRole('switch', { name: 'Sticky hermes' }).click()
    await window.run('Open the sample lab')
    await expect(page.getByRole('dialog', { name: 'Save the overlay first?' })).toBeVisible()
    await expectNoneIn(page, 'asking about unsaved edits')
  })

  test(`has no serious violation where models are scanned (${theme})`, async ({ openPlanner }) => {
    test.slow()
    const { page, home } = await openPlanner({
      settings: { theme },
      lab: async (labDir) => {
        const entry = '{id: chat, name: Hermes, repo: org/Hermes-GGUF, backend: llamacpp, ram_gb: 0.1}'
        await writeLab(labDir, { roster: `roster:\n- ${entry}\n` })
        await writeModels(join(labDir, '..'), {
          'models/org/Hermes-GGUF/hermes.gguf': 'hermes',
          'models/org/Other-GGUF/other.gguf': 'other',
        })
        await writeTree(join(labDir, '..'), {
          'models/org/Torch/pytorch_model.bin': 'x',
        })
      },
    })
    const window = windowPage(page)
    await truncate(join(home, 'models/org/Hermes-GGUF/hermes.gguf'), 2 ** 38)
    await expect(window.role('chat')).toBeVisible()
    await window.run('Scan models and this machine')
    await expectNoneIn(page, 'where to look for models')
    await window.dialog.getByRole('button', { name: 'Look for models' }).click()
    await expect(window.dialog.getByRole('list', { name: 'Found models' })).toBeVisible()
    await window.dialog.getByRole('button', { name: 'All', exact: true }).click()
    await expectNoneIn(page, 'found models')
    await window.dialog.getByRole('button', { name: /^Scan 2 models/ }).click()
    await expect(window.dialog.getByRole('progressbar', { name: 'Hermes' })).toBeVisible()
    await expectNoneIn(page, 'a scan under way')
    await window.dialog.getByRole('button', { name: 'Cancel the scan' }).click()
    await expect(window.dialog.getByRole('status')).toContainText('cancelled')
    await expectNoneIn(page, 'an ended scan')
  })
}
