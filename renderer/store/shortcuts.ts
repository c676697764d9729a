import type { Command } from './commands.ts'

interface Chord {
  readonly mod: boolean
  readonly shift: boolean
  readonly alt: boolean
  readonly key: string
}

/** The parts of a keyboard event that matter here. */
export interface KeyPress {
  readonly key: string
  /** The physical key, for letters under Alt (which makes other characters of them on a Mac). */
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

function parse(keys: string): Chord {
  const parts = keys.split('+')
  return {
    mod: parts.includes('Mod'),
    shift: parts.includes('Shift'),
    alt: parts.includes('Alt'),
    key: (parts.at(-1) ?? '').toLowerCase(),
  }
}

function pressedKey(press: KeyPress): string {
  if (press.altKey) {
    const physical = /^(?:Key|Digit)(.)$/.exec(press.code)?.[1]
    if (physical !== undefined) return physical.toLowerCase()
  }
  return press.key.toLowerCase()
}

/** Whether `press` is `keys`, such as `Mod+Shift+Z`. A key that is typed with Shift (`?`) names itself alone. */
export function matchesKeys(keys: string, press: KeyPress, isMac: boolean): boolean {
  const chord = parse(keys)
  const mod = isMac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey
  if (chord.mod !== mod || (!chord.mod && (press.metaKey || press.ctrlKey))) return false
  if (chord.alt !== press.altKey) return false
  // A letter, or a key with a name such as F6; a sign such as ? is typed with Shift on some keyboards only.
  const countsShift = /^(?:[a-z0-9]|.{2,})$/.test(chord.key)
  if (countsShift && chord.shift !== press.shiftKey) return false
  return pressedKey(press) === chord.key
}

/** `keys` as the platform writes them: `⇧⌘Z` on a Mac, `Ctrl+Shift+Z` elsewhere. */
export function showKeys(keys: string, isMac: boolean): string {
  const chord = parse(keys)
  const key = `${chord.key.slice(0, 1).toUpperCase()}${chord.key.slice(1)}`
  if (isMac) return `${chord.alt ? '⌥' : ''}${chord.shift ? '⇧' : ''}${chord.mod ? '⌘' : ''}${key}`
  return [chord.mod && 'Ctrl', chord.shift && 'Shift', chord.alt && 'Alt', key].filter(Boolean).join('+')
}

/** Commands that a text field answers itself, so that the window must leave them to it. */
const LEFT_TO_FIELDS: ReadonlySet<Command['id']> = new Set(['undo', 'redo', 'find-role', 'shortcuts'])

/** The command `press` stands for, or null. In a text field plain keys and the field's own undo stay the field's. */
export function commandForPress(
  commands: readonly Command[],
  press: KeyPress,
  where: { readonly isMac: boolean; readonly inTextField: boolean },
): Command | null {
  for (const command of commands) {
    if (command.keys === null || !matchesKeys(command.keys, press, where.isMac)) continue
    if (where.inTextField && LEFT_TO_FIELDS.has(command.id)) return null
    return command
  }
  return null
}
