import type { ElementType, Key, ReactElement } from 'react'
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { printableText } from '../../shared/printable.ts'

/**
 * React's way to make elements, which the build uses for all of the page's: what an element of the document says has its
 * control characters, overrides of direction and invisible characters written out. Names, messages and paths come from files
 * and machines of others; so no part of the window can forget it.
 */
export { Fragment }

export function jsx(type: ElementType, props: object, key?: Key): ReactElement {
  return reactJsx(type, shown(type, props), key)
}

export function jsxs(type: ElementType, props: object, key?: Key): ReactElement {
  return reactJsxs(type, shown(type, props), key)
}

/** As a page that is developed on asks for it. */
export function jsxDEV(type: ElementType, props: object, key?: Key): ReactElement {
  return jsx(type, props, key)
}

/** Attributes that are read to a person. What a field holds is the person's own and stays as it is. */
const READ = ['children', 'title', 'aria-label', 'aria-description', 'placeholder', 'alt'] as const

function shown(type: ElementType, props: object): object {
  if (typeof type !== 'string') return props
  let changed: Record<string, unknown> | null = null
  for (const name of READ) {
    const value = (props as Readonly<Record<string, unknown>>)[name]
    const text = shownValue(value)
    if (text !== value) {
      changed ??= { ...props }
      changed[name] = text
    }
  }
  return changed ?? props
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return printableText(value)
  if (!Array.isArray(value)) return value
  const parts: readonly unknown[] = value
  if (!parts.some((part) => typeof part === 'string' && printableText(part) !== part)) return value
  return parts.map((part) => (typeof part === 'string' ? printableText(part) : part))
}
