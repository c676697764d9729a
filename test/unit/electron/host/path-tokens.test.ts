import { describe, expect, test } from 'vitest'
import { createTokenVault } from '../../../../electron/host/path-tokens.ts'

describe('createTokenVault', () => {
  test('gives a path one token, and takes it back', () => {
    const vault = createTokenVault('/home/ada')
    const first = vault.give('/home/ada/llm', 'folder')
    expect(first.label).toBe('~/llm')
    expect(vault.give('/home/ada/llm', 'folder').token).toBe(first.token)
    expect(vault.give('/home/ada/llm', 'file').token).not.toBe(first.token)
    expect(vault.take(first.token)).toEqual({ path: '/home/ada/llm', kind: 'folder' })
  })

  test('a token says nothing of its path and cannot be guessed from another', () => {
    const vault = createTokenVault('/home/ada')
    const tokens = Array.from({ length: 100 }, (_, i) => vault.give(`/data/${i}`, 'file').token)
    expect(new Set(tokens).size).toBe(100)
    for (const token of tokens) expect(token).toMatch(/^[\w-]{24}$/)
    expect(createTokenVault('/home/ada').take(tokens[0] ?? '')).toBeNull()
    expect(vault.take('/data/0')).toBeNull()
  })

  test('forgets the tokens that were unused for longest', () => {
    const vault = createTokenVault('', 2)
    const [a, b] = [vault.give('/a', 'file'), vault.give('/b', 'file')]
    vault.take(a.token)
    vault.give('/c', 'file')
    expect(vault.take(a.token)).not.toBeNull()
    expect(vault.take(b.token)).toBeNull()
  })
})
