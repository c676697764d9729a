import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../../support/planner-fixture.ts'

const NODES = 'docs/models/nodes'

/** Holds back the texts of the lab's files until it is let go. */
async function holdTexts(page: Page): Promise<{ readonly letGo: () => Promise<void> }> {
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const isTexts = '**/api/labTexts'
  await page.route(isTexts, async (route) => {
    await held
    // The page may have given the answer up meanwhile.
    await route.continue().catch(() => undefined)
  })
  return {
    letGo: async () => {
      letGo()
      await page.unroute(isTexts)
    },
  }
}

test('a lab that takes long to open says so, can be called off, and opens when asked again', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  const texts = await holdTexts(page)
  await page.reload()
  await expect(page.getByText('Opening the lab…')).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Reading the lab was stopped.')).toBeVisible()
  await texts.letGo()
  await page.getByRole('button', { name: 'Reload lab' }).click()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
})

test('reading newer files that is called off leaves the lab on screen, marked stale', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  const texts = await holdTexts(page)
  const facts = join(labDir, NODES, 'pi-5.json')
  const text = await readFile(facts, 'utf8')
  await writeFile(facts, text.replaceAll('pi-5', 'pi-6'))
  await expect(page.getByText('Reading files')).toBeVisible()
  await page.getByRole('button', { name: 'Stop reading files' }).click()
  const banner = page.getByText(
    'This is the last good reading of the lab: reading the newer files was stopped.',
  )
  await expect(banner).toBeVisible()
  await expect(page.getByText('pi-5').first()).toBeVisible()
  await texts.letGo()
  await page.getByRole('button', { name: 'Reload lab' }).click()
  await expect(page.getByText('pi-6').first()).toBeVisible()
  await expect(banner).toBeHidden()
})
