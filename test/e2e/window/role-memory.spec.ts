import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shapeFileName, shapeFileText } from '../../../shared/memory/shape-file.ts'
import { readRegistry } from '../../../shared/model-manifest/read-registry.ts'
import { expect, test } from '../../support/planner-fixture.ts'
import { assumeOfRole, windowPage } from '../../support/window-page.ts'

const GROUP = {
  layers: 32,
  cache: { kind: 'attention', kvHeads: 8, keyLength: 128, valueLength: 128, window: null },
} as const

/** Puts a shape of hermes' model into the lab: 24 GB of weights, 131,072 bytes of cache a token. */
async function giveShapeToHermes(labDir: string): Promise<void> {
  const registry = readRegistry(
    await readFile(join(labDir, 'docs/models/registry.json'), 'utf8'),
    'registry.json',
  )
  const models = registry.ok ? registry.value : []
  const packageId = models.find(({ body }) => body.name.startsWith('Hermes'))?.packageId ?? ''
  await mkdir(join(labDir, 'docs/models/shapes'), { recursive: true })
  await writeFile(
    join(labDir, 'docs/models/shapes', shapeFileName(packageId)),
    shapeFileText({
      packageId,
      model: 'Hermes',
      shape: {
        architecture: 'llama',
        weightsBytes: 24_000_000_000n,
        projectorBytes: 0n,
        trainedContext: 131_072,
        caches: { kind: 'known', groups: [GROUP] },
      },
    }),
  )
}

test('context, types and requests are knobs of the scenario, and the computed figure can be adopted', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await giveShapeToHermes(labDir)
  const dialog = page.getByRole('dialog', { name: 'Memory of hermes' })
  await assumeOfRole(window, 'hermes', /^Context and memory/)
  const check = dialog.getByRole('status')
  await expect(check).toHaveText(
    'weights 24.0 GB + KV cache 4.3 GB at 32,768 (f16) + compute buffer 805.3 MB = 29.1 GB; ram_gb says 27.5 GB: 1.6 GB too little.',
  )
  const rooms = dialog.getByRole('table', { name: 'Largest context on each node' })
  await expect(rooms.getByRole('row').filter({ hasText: 'gpu-box' })).toContainText('tokens')

  const context = dialog.getByRole('textbox', { name: 'Context in tokens' })
  await context.fill('0')
  await expect(dialog.getByRole('alert')).toHaveText('a context has at least 1 token')
  await expect(check).toContainText('at 32,768')
  await expect(dialog.getByRole('note', { name: 'Twice the context' })).toHaveText(
    'With 65,536 tokens it takes 33.4 GB and fits on no node beside the other roles; no other role moves.',
  )
  await context.fill('16384')
  await expect(check).toContainText('KV cache 2.1 GB at 16,384 (f16)')
  await dialog.getByRole('combobox', { name: 'Type of K' }).selectOption('q8_0')
  await expect(check).toContainText('(K q8_0, V f16)')
  await dialog.getByRole('button', { name: 'Use the largest context of gpu-box' }).click()
  await expect(check).not.toContainText('at 16,384')
  await dialog.getByRole('switch', { name: 'Plan with the computed figure' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(window.policy).toContainText('hermes with computed memory')

  await assumeOfRole(window, 'hermes', /^Context and memory/)
  await dialog.getByRole('button', { name: 'As usual' }).click()
  await expect(check).toContainText('at 32,768 (f16)')
  await page.keyboard.press('Escape')
  await expect(window.policy).not.toContainText('hermes')
})

test('a slider in the Nodes view plans the selected role with every context, and one step takes it back', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await giveShapeToHermes(labDir)
  await window.role('hermes').click()
  await window.matrix.getByRole('button', { name: 'Nodes', exact: true }).click()
  const slider = page.getByRole('slider', { name: 'Context of hermes' })
  await expect(slider).toHaveAttribute('aria-valuetext', '32,768 tokens, 29.1 GB')
  await expect(page.getByText('ram_gb 27.5 GB')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Legend' })).toContainText('KV cache')

  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuetext', '49,152 tokens, 31.2 GB')
  await expect(window.policy).toContainText('hermes with computed memory')
  await page.keyboard.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', '131,072 tokens, 42.0 GB')
  await page.getByRole('button', { name: 'Back to ram_gb' }).click()
  await expect(slider).toHaveAttribute('aria-valuetext', '32,768 tokens, 29.1 GB')
  await expect(window.policy).not.toContainText('hermes')
})

test('the largest context for all roles is looked for when asked for, and can be planned with', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await giveShapeToHermes(labDir)
  await page.getByRole('switch', { name: 'Allow weight transfer' }).click()
  await window.matrix.getByRole('button', { name: 'Nodes', exact: true }).click()
  await page.getByRole('button', { name: 'Largest context for all roles' }).click()
  const answer = page.getByRole('status', { name: 'Largest context for all roles' })
  await expect(answer).toContainText('tokens for the one role')
  await answer.getByRole('button', { name: 'Plan with it' }).click()
  await expect(window.policy).toContainText('hermes with computed memory')
})
