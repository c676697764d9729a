import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { jsx, jsxs } from '../../../../renderer/jsx/jsx-runtime.ts'

const HARMLESS = 'plain · “text”\nof two lines\t→ 日本語 é'

describe('elements of the page', () => {
  test('write out what a terminal, a browser or a reader would act on', () => {
    const props = {
      children: 'a\u001b[31mb\u202ec\u061cd\u{e0041}e\u009bf',
      title: 'x\u0007y',
      'aria-label': 'l\u2066m',
    }
    expect(jsx('span', props).props).toEqual({
      children: 'a\\u{1b}[31mb\\u{202e}c\\u{61c}d\\u{e0041}e\\u{9b}f',
      title: 'x\\u{7}y',
      'aria-label': 'l\\u{2066}m',
    })
    const icon = createElement('i')
    expect(jsxs('p', { children: ['role ', icon, '\u0085'] }).props).toEqual({
      children: ['role ', icon, '\\u{85}'],
    })
  })

  test('leave all other texts, line ends and what a field holds as they are', () => {
    const props = { children: HARMLESS, title: HARMLESS, value: '\u202e', className: 'c' }
    expect(jsx('span', props).props).toEqual(props)
    expect(jsx('textarea', { value: 'a\u001b' }).props).toEqual({ value: 'a\u001b' })
  })

  test('leave what is given to components to the elements they make', () => {
    const Component = (): null => null
    expect(jsx(Component, { children: '\u202e', role: '\u202e' }).props).toEqual({
      children: '\u202e',
      role: '\u202e',
    })
  })
})
