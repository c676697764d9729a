import type { KeyboardEvent, MouseEvent } from 'react'

/** Whether a key asks for the menu of what has the focus, as the right button does. */
export function isMenuKey({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey)
}

/** Where a menu that the right button asked for drops from. */
export function pointOf({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): DOMRect {
  return new DOMRect(clientX, clientY, 0, 0)
}
