import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../../support/planner-fixture.ts'
import { drag, windowPage } from '../../support/window-page.ts'

const OVERLAY = 'docs/models/overlay.yaml'

test('saves a drag into the file with every comment, CRLF and the BOM kept', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  const file = join(labDir, OVERLAY)
  const unix = await readFile(file, 'utf8')
  const text = `\uFEFF${unix.replaceAll('\n', '\r\n')}`
  await expect(window.role('hermes')).toBeVisible()
  await writeFile(file, text)
  await expect(page.getByText('UTF-8 with BOM · CRLF')).toBeVisible()
  await expect(window.save).toBeDisabled()

  await drag(window.chip('hermes'), window.column('Interactive'))
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await expect(window.save).toBeEnabled()
  await page.keyboard.press('ControlOrMeta+S')
  await expect(window.messages).toContainText('Saved ~/llm/docs/models/overlay.yaml')
  await expect(page.getByText('Overlay saved')).toBeVisible()
  await expect(window.save).toBeDisabled()
  const interactive = '  coder-small: interactive\r\n'
  expect(await readFile(file, 'utf8')).toBe(
    text.replace(interactive, `${interactive}  hermes: interactive\r\n`),
  )
  // Undoing goes behind the save, and the file is then the one that differs.
  await window.undo.click()
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await window.save.click()
  await expect(page.getByText('Overlay saved')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('keeps the text of a file that was removed, restores it, or goes on without and makes it with the next save', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await expect(window.role('coder-small')).toContainText('interactive')
  const text = await readFile(join(labDir, OVERLAY), 'utf8')
  const banner = window.overlay.getByRole('alert')
  await rm(join(labDir, OVERLAY))
  await expect(banner).toContainText('overlay.yaml is gone; its text is kept here, unsaved.')
  await expect(window.role('coder-small')).toContainText('interactive')
  await banner.getByRole('button', { name: 'Restore the file' }).click()
  await expect(page.getByText('Overlay saved')).toBeVisible()
  await expect(banner).toBeHidden()
  expect(await readFile(join(labDir, OVERLAY), 'utf8')).toBe(text)

  await rm(join(labDir, OVERLAY))
  await banner.getByRole('button', { name: 'Accept that it is gone' }).click()
  await expect(page.getByText('No overlay file')).toBeVisible()
  await expect(window.role('coder-small')).not.toContainText('interactive')
  await drag(window.chip('coder-small'), window.column('Interactive'))
  await window.save.click()
  await expect(page.getByText('Overlay saved')).toBeVisible()
  expect(await readFile(join(labDir, OVERLAY), 'utf8')).toBe('latency_class:\n  coder-small: interactive\n')
})

for (const [what, put] of [
  ['a folder', (path: string) => mkdir(path)],
  ['bytes that are no text', (path: string) => writeFile(path, Buffer.from([0xff, 0xfe, 0x00]))],
] as const) {
  test(`keeps the text while ${what} is in its file's place, and saves it once that is gone`, async ({
    openPlanner,
  }) => {
    const { page, labDir } = await openPlanner()
    const window = windowPage(page)
    const file = join(labDir, OVERLAY)
    const text = await readFile(file, 'utf8')
    const banner = window.overlay.getByRole('alert')
    await expect(window.role('coder-small')).toContainText('interactive')
    await rm(file)
    await put(file)
    await expect(banner).toContainText('Cannot read the overlay')
    await expect(banner).toContainText('The text is kept here, unsaved')
    await expect(banner.getByRole('button')).toHaveCount(0)
    await expect(window.role('coder-small')).toContainText('interactive')
    await window.save.click()
    await expect(page.getByText('Not saved. Cannot read the overlay')).toBeVisible()
    await rm(file, { recursive: true })
    await banner.getByRole('button', { name: 'Restore the file' }).click()
    await expect(page.getByText('Overlay saved')).toBeVisible()
    expect(await readFile(file, 'utf8')).toBe(text)
  })
}

test('takes a file changed outside silently while nothing is unsaved, one undo away', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await window.editorReady()
  await writeFile(join(labDir, OVERLAY), '# theirs\nlatency_class:\n  hermes: interactive\n')
  await expect.poll(window.shownYaml).toBe('# theirs\nlatency_class:\n  hermes: interactive\n')
  await expect(window.role('hermes')).toContainText('interactive')
  await expect(window.dialog).toBeHidden()
  await expect(window.overlay.getByRole('alert')).toBeHidden()
  await expect(window.save).toBeDisabled()
  await window.undo.click()
  await expect(window.role('coder-small')).toContainText('interactive')
  await expect(window.save).toBeEnabled()
})

test('keeps unsaved edits when the file changes outside: compare, keep or reload', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  const file = join(labDir, OVERLAY)
  const theirs = '# theirs\nlatency_class:\n  planner: interactive\n'
  await window.editorReady()
  await window.replaceYaml('# mine\nlatency_class:\n  hermes: interactive\n')
  await expect(window.role('hermes')).toContainText('interactive')
  await writeFile(file, theirs)
  const banner = window.overlay.getByRole('alert')
  await expect(banner).toContainText('overlay.yaml was changed by another program while you were editing it.')
  await expect(window.role('hermes')).toContainText('interactive')

  await banner.getByRole('button', { name: 'Compare' }).click()
  const compare = page.getByRole('dialog', { name: 'Compare overlay.yaml' })
  await expect(compare).toContainText('On disk, saved by another program')
  await expect(compare).toContainText('theirs')
  await expect(compare).toContainText('mine')
  await compare.getByRole('button', { name: 'Decide later' }).click()
  await expect(banner).toBeVisible()

  // Saving asks; it never writes over what was not seen.
  await page.keyboard.press('ControlOrMeta+S')
  const conflict = page.getByRole('dialog', { name: 'The overlay’s file has changed on disk' })
  await expect(conflict).toContainText('Nothing was written.')
  expect(await readFile(file, 'utf8')).toBe(theirs)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByText('Overlay saved')).toBeVisible()
  await expect(banner).toBeHidden()
  expect(await readFile(file, 'utf8')).toBe('# mine\nlatency_class:\n  hermes: interactive\n')

  await window.replaceYaml('# mine again\n')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  // At once, as editors save: of a file that is still empty the planner would take the emptiness as a step of its own.
  await writeFile(`${file}.new`, `${theirs}# and more\n`)
  await rename(`${file}.new`, file)
  await banner.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(window.shownYaml).toBe(`${theirs}# and more\n`)
  await expect(page.getByText('Overlay saved')).toBeVisible()
  await expect(window.role('planner')).toContainText('interactive')
  await window.undo.click()
  await expect.poll(window.shownYaml).toBe('# mine again\n')
})

test('says nothing when the outside version is what is being edited', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  const window = windowPage(page)
  await window.replaceYaml('# the same\n')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await writeFile(join(labDir, OVERLAY), '# the same\n')
  await expect(page.getByText('Overlay saved')).toBeVisible()
  await expect(window.overlay.getByRole('alert')).toBeHidden()
})

test('asks before another lab is opened over unsaved edits: cancel, save, discard', async ({
  openPlanner,
}) => {
  // Named by the command line, a lab is among the recent ones.
  const { page, labDir } = await openPlanner({ args: ({ labDir: lab }) => ['--lab', lab] })
  const window = windowPage(page)
  const file = join(labDir, OVERLAY)
  const before = await readFile(file, 'utf8')
  const lab = (name: string) => page.getByRole('banner').getByRole('button', { name })
  const openSample = async (): Promise<void> => {
    await lab('~/llm').click()
    await page.getByRole('menuitem', { name: 'Open the sample lab' }).click()
  }
  const ask = page.getByRole('dialog', { name: 'Save the overlay first?' })
  await window.board.getByRole('switch', { name: 'Sticky hermes' }).click()
  await openSample()
  await expect(ask).toContainText(
    'overlay.yaml has edits that are not saved. Opening the sample lab without saving loses them.',
  )
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await expect(lab('~/llm')).toBeVisible()
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(before)

  await openSample()
  await ask.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(lab('Sample lab')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(
    before.replace('  swarm-micro: false\n', '  swarm-micro: false\n  hermes: false\n'),
  )
  await expect(page.getByText('This is the sample lab')).toBeVisible()

  await window.board.getByRole('switch', { name: 'Sticky hermes' }).click()
  await lab('Sample lab').click()
  await page.getByRole('menuitem', { name: /^~\/llm/ }).click()
  await ask.getByRole('button', { name: 'Discard' }).click()
  await expect(lab('~/llm')).toBeVisible()
  await expect(window.board.getByRole('switch', { name: 'Sticky hermes' })).not.toBeChecked()
  await expect(window.save).toBeDisabled()
  await expect(window.undo).toBeDisabled()
})
