import { describe, expect, test } from 'vitest'
import type { RosterEntry } from '../../../../shared/roster/types.ts'
import { folderToken, nameModels, type Nameable } from '../../../../shared/scan/naming.ts'

function entry(id: string, name: string, repo: string): RosterEntry {
  const span = { start: 0, end: 0 }
  return {
    id,
    role: '',
    name,
    repo,
    backend: 'mlx_lm',
    status: '',
    ramBytes: 1n,
    port: null,
    span,
    fieldSpans: {},
  }
}

function model(changes: Partial<Nameable> = {}): Nameable {
  return { source: null, folderRepo: 'org/Folder-4bit', folderName: 'Folder-4bit', likeness: 'a', ...changes }
}

function hf(repo: string): Partial<Nameable> {
  return {
    source: { hfRepo: repo, hfRevision: 'abc', ollamaTag: null },
    folderRepo: repo,
    folderName: 'tail',
  }
}

const ROSTER = [
  entry('daily', 'Coder-80B', 'org/Coder-4bit'),
  entry('alias', 'Coder-80B', 'org/Coder-4bit'),
  entry('tiny', 'Tiny', 'tiny:7b'),
  entry('odd', 'not a token', 'org/Odd'),
]

describe('the name of a found model', () => {
  test('is that of the roster entry whose repo it is, reported with the roles it serves', () => {
    expect(nameModels([model(hf('org/Coder-4bit'))], ROSTER)).toEqual([
      { name: 'Coder-80B', roles: ['daily', 'alias'], warning: null },
    ])
  })

  test('does not depend on the case of a repo', () => {
    expect(nameModels([model(hf('Org/coder-4BIT'))], ROSTER)[0]?.name).toBe('Coder-80B')
  })

  test('is found by ORG/NAME or NAME of a plain folder', () => {
    expect(nameModels([model({ folderRepo: 'org/Coder-4bit', folderName: 'x' })], ROSTER)[0]?.name).toBe(
      'Coder-80B',
    )
    expect(nameModels([model({ folderRepo: 'm/Coder-4bit', folderName: 'x' })], ROSTER)[0]?.name).toBe(
      'Coder-80B',
    )
    expect(nameModels([model({ folderRepo: 'm/x', folderName: 'Coder-4bit' })], ROSTER)[0]?.name).toBe(
      'Coder-80B',
    )
  })

  test('is found by an Ollama tag, by the bare name for latest', () => {
    const tagged = (ollamaTag: string) =>
      model({
        source: { hfRepo: null, hfRevision: null, ollamaTag },
        folderRepo: null,
        folderName: ollamaTag,
      })
    expect(nameModels([tagged('tiny:7b')], ROSTER)[0]?.name).toBe('Tiny')
    expect(nameModels([tagged('tiny:latest')], [entry('t', 'T', 'tiny')])[0]?.name).toBe('T')
    expect(nameModels([tagged('other:1b')], ROSTER)[0]?.name).toBe('other:1b')
  })

  test('is its folder’s when the roster has no such repo', () => {
    expect(nameModels([model()], ROSTER)).toEqual([{ name: 'Folder-4bit', roles: [], warning: null }])
  })

  test('is its folder’s, with a warning, when the roster’s name cannot stand in a manifest', () => {
    const [named] = nameModels([model({ ...hf('org/Odd'), folderName: 'Odd' })], ROSTER)
    expect(named).toMatchObject({ name: 'Odd', roles: [] })
    expect(named?.warning).toContain('not a token')
  })

  test('belongs to none of several different models that answer to one entry', () => {
    const of = (name: string) => model({ ...hf('org/Coder-4bit'), folderName: name, likeness: name })
    const names = nameModels([of('Q4'), of('Q8')], ROSTER)
    expect(names.map((each) => each?.name)).toEqual(['Q4', 'Q8'])
    expect(names[0]?.warning).toContain('--name Coder-80B')
  })

  test('is the same for copies of one model', () => {
    const names = nameModels([model(hf('org/Coder-4bit')), model(hf('org/Coder-4bit'))], ROSTER)
    expect(names.map((each) => each?.name)).toEqual(['Coder-80B', 'Coder-80B'])
  })

  test('is not taken where two entries of one repo disagree', () => {
    const entries = [entry('a', 'A', 'org/X'), entry('b', 'B', 'org/X')]
    expect(nameModels([model({ ...hf('org/X'), folderName: 'X' })], entries)[0]?.name).toBe('X')
  })

  test('has the publisher before it where another model has it already, the roster’s first of all', () => {
    const file = (folderRepo: string, likeness: string): Nameable =>
      model({ folderRepo, folderName: 'M-Q4', likeness })
    const names = (models: readonly Nameable[], roster = ROSTER) =>
      nameModels(models, roster).map((each) => each?.name)
    expect(names([file('one/M-GGUF', 'a'), file('two/M-GGUF', 'b'), file('two/M-GGUF', 'c')])).toEqual([
      'M-Q4',
      'two-M-Q4',
      'M-Q4',
    ])
    expect(names([file('models/x', 'a'), file('models/y', 'b')])).toEqual(['M-Q4', 'y-M-Q4'])
    expect(names([file('one/M', 'a'), file('two/M', 'a')])).toEqual(['M-Q4', 'M-Q4'])
    const roster = [entry('r', 'M-Q4', 'two/M-GGUF')]
    expect(names([file('one/N-GGUF', 'a'), file('two/M-GGUF', 'b')], roster)).toEqual(['one-M-Q4', 'M-Q4'])
  })

  test('cannot be made of a folder without a letter or digit', () => {
    expect(nameModels([model({ folderRepo: null, folderName: '…' })], [])).toEqual([null])
  })
})

describe('a folder’s name as a token', () => {
  test('keeps tokens, replaces the rest and stays within 64 bytes', () => {
    expect(folderToken('Qwen3-Coder_4bit.v2')).toBe('Qwen3-Coder_4bit.v2')
    expect(folderToken('My model (é)')).toBe('My-model-')
    expect(folderToken('..hidden')).toBe('hidden')
    expect(folderToken('x'.repeat(100))).toHaveLength(64)
  })
})
