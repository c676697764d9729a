import { useSyncExternalStore } from 'react'

/** The colours marks are painted in, as CSS colours of the present theme. */
export interface MarkPalette {
  readonly background: string
  readonly held: string
  readonly onHeld: string
  readonly moves: string
  readonly movesSoft: string
  readonly detached: string
  readonly missing: string
  readonly eligible: string
  readonly no: string
}

/** The system chooses the colours; the tokens are its own then. */
const FORCED_COLORS = '(forced-colors: active)'

/** A canvas knows no custom properties, so the tokens are read whenever the theme changes. */
function readPalette(): MarkPalette {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  return {
    background: token('--bg'),
    held: token('--held'),
    onHeld: window.matchMedia(FORCED_COLORS).matches ? 'HighlightText' : '#ffffff',
    moves: token('--moves'),
    movesSoft: token('--moves-soft'),
    detached: token('--detached'),
    missing: token('--line-strong'),
    eligible: token('--yes'),
    no: token('--no'),
  }
}

/** Shared by every canvas; the same object for as long as no colour changes. */
let present: MarkPalette | null = null

function presentPalette(): MarkPalette {
  const read = readPalette()
  if (present === null || JSON.stringify(present) !== JSON.stringify(read)) present = read
  return present
}

function subscribe(changed: () => void): () => void {
  const reread = (): void => {
    presentPalette()
    changed()
  }
  const attributes = new MutationObserver(reread)
  attributes.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] })
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const forced = window.matchMedia(FORCED_COLORS)
  system.addEventListener('change', reread)
  forced.addEventListener('change', reread)
  // The theme may have changed while nothing was listening.
  reread()
  return () => {
    attributes.disconnect()
    system.removeEventListener('change', reread)
    forced.removeEventListener('change', reread)
  }
}

function snapshot(): MarkPalette {
  return present ?? presentPalette()
}

/** The marks' colours in the present theme; a new object when it changes. */
export function useMarkPalette(): MarkPalette {
  return useSyncExternalStore(subscribe, snapshot)
}
