import { describe, expect, test } from 'vitest'
import { completionsAt, type Completions } from '../../../../renderer/overlay-editor/completions.ts'
import { planOf } from '../../../support/plan-of.ts'

const ROLES = [{ id: 'planner' }, { id: 'hermes', ramGb: 27.5 }, { id: 'null' }]

/** What is offered at the `|` of a text; `read` is the last text that could be read. */
function offered(marked: string, read = ''): Completions {
  const before = marked.slice(0, marked.indexOf('|'))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  const { plan, document } = planOf(ROLES, read)
  return completionsAt(marked.replace('|', '').split('\n'), line, column, plan, document)
}

function labels(completions: Completions): string[] {
  return completions.items.map(({ label }) => label)
}

describe('completionsAt', () => {
  test('offers the keys that the text does not have yet', () => {
    expect(labels(offered('sticky:\n  planner: true\n|'))).toEqual(['excludes', 'latency_class'])
  })

  test('offers every role but those the key has already', () => {
    expect(labels(offered('sticky:\n  planner: true\n  |', 'sticky: {planner: true}'))).toEqual([
      'hermes',
      'null',
    ])
  })

  test('still offers the role that is being replaced', () => {
    expect(labels(offered('sticky:\n  plan|ner: true', 'sticky: {planner: true}'))).toContain('planner')
  })

  test('writes a role with what comes behind it, and alone where a colon stands already', () => {
    const [planner] = offered('excludes:\n  |').items
    expect(planner).toMatchObject({ insertText: 'planner: [$0]', isSnippet: true, goesOn: true })
    expect(offered('excludes:\n  pl|: [hermes]').items[0]).toMatchObject({
      insertText: 'planner',
      isSnippet: false,
    })
  })

  test('quotes a role that YAML would read as something else', () => {
    expect(offered('sticky:\n  |').items.at(-1)).toMatchObject({ label: 'null', insertText: '"null": $0' })
  })

  test('offers the latency classes and the truth values', () => {
    expect(labels(offered('latency_class:\n  planner: |'))).toEqual(['interactive', 'batch'])
    expect(labels(offered('sticky:\n  planner: |'))).toEqual(['true', 'false'])
  })

  test('offers excludes with and without `role:`, but not the role itself nor what it lists already', () => {
    const read = 'excludes: {planner: [role:hermes]}'
    expect(labels(offered('excludes:\n  planner: [role:hermes, |', read))).toEqual(['null', 'role:null'])
  })

  test('puts no quotes of its own into quotes', () => {
    const { items } = offered('excludes:\n  planner: ["|"]')
    expect(items.map(({ insertText }) => insertText)).toEqual(['hermes', 'null', 'role:hermes', 'role:null'])
  })

  test('replaces the whole name around the caret', () => {
    expect(offered('excludes:\n  planner:\n    - role:her|')).toMatchObject({ start: 7, end: 15 })
  })

  test('says of a role what an operator chooses by', () => {
    const hermes = offered('sticky:\n  |').items.find(({ label }) => label === 'hermes')
    expect(hermes?.detail).toBe('batch · 27.5 GB')
    expect(hermes?.documentation).toContain('Cannot run')
  })

  test('offers nothing in a comment', () => {
    expect(offered('# |').items).toEqual([])
  })
})
