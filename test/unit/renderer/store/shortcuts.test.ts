import { describe, expect, test } from 'vitest'
import type { Command } from '../../../../renderer/store/commands.ts'
import {
  commandForPress,
  matchesKeys,
  showKeys,
  type KeyPress,
} from '../../../../renderer/store/shortcuts.ts'

function press(key: string, modifiers: Partial<KeyPress> = {}): KeyPress {
  return { key, code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers }
}

function command(id: Command['id'], keys: string): Command {
  return { id, keys, label: id, group: 'Plan', enabled: () => true, run: () => undefined }
}

describe('shortcuts', () => {
  test('means Ctrl by Mod, and Command on a Mac', () => {
    expect(matchesKeys('Mod+S', press('s', { ctrlKey: true }), false)).toBe(true)
    expect(matchesKeys('Mod+S', press('s', { metaKey: true }), false)).toBe(false)
    expect(matchesKeys('Mod+S', press('s', { metaKey: true }), true)).toBe(true)
    expect(matchesKeys('Mod+S', press('s', { ctrlKey: true }), true)).toBe(false)
  })

  test('F6 and Shift+F6 are two', () => {
    expect(matchesKeys('F6', press('F6'), false)).toBe(true)
    expect(matchesKeys('F6', press('F6', { shiftKey: true }), false)).toBe(false)
    expect(matchesKeys('Shift+F6', press('F6', { shiftKey: true }), false)).toBe(true)
    expect(showKeys('Shift+F6', false)).toBe('Shift+F6')
  })

  test('distinguishes Mod+Z from Mod+Shift+Z', () => {
    const shifted = press('Z', { ctrlKey: true, shiftKey: true })
    expect(matchesKeys('Mod+Z', shifted, false)).toBe(false)
    expect(matchesKeys('Mod+Shift+Z', shifted, false)).toBe(true)
  })

  test('takes ? as typed, with whatever Shift the keyboard needs', () => {
    expect(matchesKeys('?', press('?', { shiftKey: true }), false)).toBe(true)
    expect(matchesKeys('?', press('?'), false)).toBe(true)
  })

  test('reads the physical key under Alt, which makes another character of it on a Mac', () => {
    expect(matchesKeys('Alt+T', press('†', { altKey: true, code: 'KeyT' }), true)).toBe(true)
    expect(matchesKeys('Alt+1', press('¡', { altKey: true, code: 'Digit1' }), true)).toBe(true)
  })

  test('does not take a plain key for one with Ctrl', () => {
    expect(matchesKeys('/', press('/', { ctrlKey: true }), false)).toBe(false)
  })

  test('leaves plain keys and a field’s own undo to a text field', () => {
    const commands = [command('find-role', '/'), command('undo', 'Mod+Z'), command('save-overlay', 'Mod+S')]
    const inField = { isMac: false, inTextField: true }
    expect(commandForPress(commands, press('/'), inField)).toBeNull()
    expect(commandForPress(commands, press('z', { ctrlKey: true }), inField)).toBeNull()
    expect(commandForPress(commands, press('s', { ctrlKey: true }), inField)?.id).toBe('save-overlay')
    expect(commandForPress(commands, press('/'), { ...inField, inTextField: false })?.id).toBe('find-role')
  })

  test('writes keys as the platform does', () => {
    expect(showKeys('Mod+Shift+Z', true)).toBe('⇧⌘Z')
    expect(showKeys('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z')
    expect(showKeys('Alt+1', false)).toBe('Alt+1')
  })
})
