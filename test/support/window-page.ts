import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { OpenedPlanner } from './planner-fixture.ts'

/** The planner's window by what a person (or a screen reader) calls its parts. */
export interface WindowPage {
  readonly page: Page
  readonly roster: Locator
  readonly matrix: Locator
  readonly explanation: Locator
  readonly overlay: Locator
  readonly board: Locator
  readonly policy: Locator
  readonly dialog: Locator
  /** The short messages in the corner. */
  readonly messages: Locator
  readonly allowTransfer: Locator
  readonly save: Locator
  readonly undo: Locator
  readonly redo: Locator
  readonly verdict: Locator
  readonly notes: Locator
  /** What the role would be as the only one, where the others or the scenario make something else of it. */
  readonly onItsOwn: Locator
  /** Both explanations of the role, while a baseline is pinned. */
  readonly compared: Locator
  /** What would let the role run on a node, or that nothing would. */
  readonly adviceFor: (node: string) => Locator
  /** The roster's row of a role. */
  readonly role: (id: string) => Locator
  /** The matrix's row of a node. */
  readonly node: (id: string) => Locator
  /** The board's column of a latency class, its wells, or the column of excludes. */
  readonly column: (name: BoardPlace) => Locator
  /** A role's name on the board, which it is dragged by. */
  readonly chip: (role: string) => Locator
  readonly card: (role: string) => Locator
  /** What a screen reader says while dragging. */
  readonly told: (text: string | RegExp) => Locator
  readonly yaml: Locator
  /** The overlay's text as the editor shows it, as far as it is in view. */
  readonly shownYaml: () => Promise<string>
  /** Waits until the editor is there, so that what is typed goes to it. */
  readonly editorReady: () => Promise<void>
  /** Puts `text` where the editor's caret or selection is, as pasting does. */
  readonly paste: (text: string) => Promise<void>
  /** Replaces the overlay's whole text by pasting. */
  readonly replaceYaml: (text: string) => Promise<void>
  /** Runs the palette's command of that name. */
  readonly run: (command: string) => Promise<void>
}

type BoardPlace = 'Interactive' | 'Batch' | 'Cannot be beside' | 'Back to default' | 'Remove' | 'New pair'

export function windowPage(page: Page): WindowPage {
  const region = (name: string): Locator => page.getByRole('region', { name, exact: true })
  const roster = region('Roster')
  const matrix = region('Shard matrix')
  const explanation = region('Explanation')
  const overlay = region('Overlay')
  const board = region('Drag board')
  const yaml = overlay.getByRole('textbox', { name: 'Overlay YAML' })
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  // The lines are Monaco's own elements, without a role; they stand in the page in any order.
  const lines = overlay.locator('.view-line')

  const editorReady = async (): Promise<void> => lines.first().waitFor()
  // As the clipboard does it, which not every host lets a test write to.
  const paste = (text: string): Promise<void> =>
    yaml.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  return {
    page,
    roster,
    matrix,
    explanation,
    overlay,
    board,
    yaml,
    editorReady,
    policy: region('Policy'),
    dialog: page.getByRole('dialog'),
    messages: page.getByRole('status', { name: 'Messages' }),
    allowTransfer: page.getByRole('switch', { name: 'Allow weight transfer' }),
    save: button('Save overlay'),
    undo: button('Undo'),
    redo: button('Redo'),
    verdict: explanation.getByRole('group', { name: 'Verdict' }),
    notes: explanation.getByRole('region', { name: 'Notes' }).getByRole('listitem'),
    onItsOwn: explanation.getByRole('group', { name: 'Verdict' }).getByText(/^On its own: /),
    compared: explanation.getByRole('region', { name: 'Compared with the baseline' }),
    adviceFor: (node) =>
      explanation
        .getByRole('region', { name: 'What would change this' })
        .locator('div')
        .filter({ has: page.getByRole('term').getByText(node, { exact: true }) })
        .getByRole('definition'),
    role: (id) => roster.getByRole('option', { name: startsWith(id) }),
    node: (id) => matrix.getByRole('row', { name: startsWith(id) }),
    column: (name) => board.getByRole('group', { name, exact: true }),
    chip: (role) => board.getByRole('button', { name: role, exact: true }),
    card: (role) => board.getByRole('listitem', { name: `Card of ${role}`, exact: true }),
    told: (text) => board.getByRole('status').filter({ hasText: text }),
    shownYaml: () =>
      lines.evaluateAll((elements) =>
        elements
          .map((element) => ({ top: (element as HTMLElement).offsetTop, text: element.textContent }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text.replaceAll('\u00a0', ' '))
          .join('\n'),
      ),
    replaceYaml: async (text) => {
      await editorReady()
      await yaml.focus()
      await page.keyboard.press('ControlOrMeta+A')
      await paste(text)
    },
    paste,
    run: async (command) => {
      await page.keyboard.press('ControlOrMeta+K')
      await page.getByPlaceholder('Find a role or run a command').fill(command)
      await page.getByRole('option', { name: command }).first().click()
    },
  }
}

/** Chooses the folder `name` of the person's home in the export dialog, the way the host offers. */
export async function chooseFolder(
  { page, home, answerPick }: Pick<OpenedPlanner, 'page' | 'home' | 'answerPick'>,
  name: string,
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Export' })
  if (answerPick === null) {
    const another = dialog.getByRole('button', { name: 'Choose another folder…' })
    const newName = dialog.getByRole('textbox', { name: 'New folder name' })
    await another.or(newName).first().waitFor()
    if (await another.isVisible()) await another.click()
    await newName.fill(name)
    await dialog.getByRole('button', { name: 'Use new folder' }).click()
  } else {
    // A native dialog can make the folder itself.
    await mkdir(join(home, name), { recursive: true })
    await answerPick(join(home, name))
    await dialog.getByRole('button', { name: 'Choose a folder…' }).click()
  }
  await dialog.getByText(`~/${name}`).waitFor()
}

/** Chooses the file `name` of the person's home, or of a folder in it, in the open dialog. */
export async function chooseFile({ page, home, answerPick }: OpenedPlanner, name: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  if (answerPick === null) {
    for (const part of name.split('/')) await dialog.getByRole('button', { name: part, exact: true }).click()
  } else {
    await answerPick(join(home, name))
    await dialog.getByRole('button', { name: 'Choose a file…' }).click()
  }
}

/** Takes `entry` of what may be assumed of a role, from the explanation. */
export async function assumeOfRole(window: WindowPage, id: string, entry: RegExp): Promise<void> {
  const { page, role, explanation } = window
  await role(id).click()
  await explanation.getByRole('button', { name: `What if, for ${id}` }).click()
  await menuEntry(page, entry).click()
}

/** Takes `entry` of what may be assumed of a node, from the menu of its row. */
export async function assumeOfNode({ page, matrix }: WindowPage, id: string, entry: RegExp): Promise<void> {
  await matrix.getByRole('rowheader', { name: startsWith(id) }).hover()
  await matrix.getByRole('button', { name: `Force ${id} in or out` }).click()
  await menuEntry(page, entry).click()
}

function menuEntry(page: Page, name: RegExp): Locator {
  return page.getByRole('menuitem', { name }).or(page.getByRole('menuitemcheckbox', { name }))
}

/**
 * Picks up on the board what has the focus, once `says` was announced; from then on arrows aim it. A drag listens to keys
 * from the page's next timer on, which a hand is never ahead of.
 */
export async function pickUp({ page, told }: WindowPage, says: string, key = 'Space'): Promise<void> {
  await page.keyboard.press(key)
  await told(says).waitFor({ state: 'attached' })
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}

/** Drags by mouse as a hand does: it begins before the place is aimed at, and rests on it before it is let go. */
export async function drag(from: Locator, to: Locator): Promise<void> {
  const { mouse } = from.page()
  await from.hover()
  const box = await from.boundingBox()
  if (box === null) throw new Error('What is to be dragged is not in view.')
  await mouse.down()
  await mouse.move(box.x + box.width / 2 + 8, box.y + box.height / 2 + 8, { steps: 4 })
  await to.hover()
  await mouse.move(...(await middleOf(to)), { steps: 2 })
  await mouse.up()
}

async function middleOf(place: Locator): Promise<[x: number, y: number]> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('What is to be dropped on is not in view.')
  return [box.x + box.width / 2 + 1, box.y + box.height / 2 + 1]
}

/** Names that are `id` alone or go on after it: `coder` is not `coder-daily`. */
function startsWith(id: string): RegExp {
  return new RegExp(`^${id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.:+-])`)
}
