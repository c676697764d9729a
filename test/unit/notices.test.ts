import { describe, expect, test } from 'vitest'
import { noticesText, type ShippedLibrary } from '../../scripts/notices.ts'

const MIT = 'Copyright (c) Some One\n\nPermission is hereby granted, free of charge.'
const library = (name: string, more: Partial<ShippedLibrary> = {}): ShippedLibrary => ({
  name,
  version: '1.0.0',
  identifier: 'MIT',
  text: MIT,
  ...more,
})

describe('noticesText', () => {
  test('has each version of each library once, by name, with its license and text', () => {
    const text = noticesText([library('b'), library('a'), library('b'), library('b', { version: '2.0.0' })])
    expect(text.match(/^\S+ \d\.0\.0 \(MIT\)$/gm)).toEqual([
      'a 1.0.0 (MIT)',
      'b 1.0.0 (MIT)',
      'b 2.0.0 (MIT)',
    ])
    expect(text.split(MIT)).toHaveLength(4)
  })

  test('refuses a license that is not on the list, and a library that names none', () => {
    expect(() => noticesText([library('a', { identifier: 'GPL-3.0-only' })])).toThrow(
      'a 1.0.0 (GPL-3.0-only)',
    )
    const { identifier: _none, ...unnamed } = library('a')
    expect(() => noticesText([unnamed])).toThrow('a 1.0.0 (none)')
  })

  test('gives an MIT library without a text the terms it names, and refuses another without one', () => {
    const text = noticesText([library('a'), library('b', { text: '' })])
    expect(text).toContain('Copyright (c) the authors of b\n\nPermission is hereby granted')
    expect(() => noticesText([library('a'), library('b', { identifier: 'ISC', text: '' })])).toThrow(
      'b has no license text',
    )
  })
})
