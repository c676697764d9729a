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

test('context, types and requests are knobs of the scenario, and the computed figure can be adopted', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
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
