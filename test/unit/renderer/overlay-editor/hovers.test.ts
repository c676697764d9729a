import { describe, expect, test } from 'vitest'
import { hoverAt, type Hover } from '../../../../renderer/overlay-editor/hovers.ts'
import { escapeMarkdown } from '../../../../renderer/overlay-editor/overlay-words.ts'
import { planOf } from '../../../support/plan-of.ts'

const ROLES = [{ id: 'planner', about: 'realtime voice' }, { id: 'a_b*' }, { id: 'vlm', backend: 'mlx_vlm' }]

function hover(marked: string, overlay = ''): Hover | null {
  const before = marked.slice(0, marked.indexOf('|'))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return hoverAt(marked.replace('|', '').split('\n'), line, column, planOf(ROLES, overlay).plan)
}

describe('hoverAt', () => {
  test('explains a key', () => {
    const found = hover('excl|udes:')
    expect(found).toMatchObject({ start: 1, end: 9 })
    expect(found?.paragraphs.join(' ')).toContain('cannot run on one node together')
  })

  test('reports a role’s verdict, latency and memory', () => {
    const text = hover('sticky:\n  plan|ner: true')?.paragraphs.join('\n') ?? ''
    expect(text).toContain('**planner** · Model\\-planner · infer\\.mlx\\-lm')
    expect(text).toContain('Cannot run')
    expect(text).toContain('latency **interactive** from the roster’s text')
    expect(text).toContain('memory 5.0 GB of weights')
  })

  test('finds a role behind the prefix of an exclude', () => {
    expect(hover('excludes:\n  x: ["role:pla|nner"]')?.paragraphs[0]).toContain('**planner**')
  })

  test('reports why a skipped entry is no role', () => {
    expect(hover('sticky:\n  vl|m: true')?.paragraphs[0]).toContain('was skipped')
  })

  test('explains a value', () => {
    expect(hover('latency_class:\n  planner: inter|active')?.paragraphs[0]).toContain('latency bound')
  })

  test('has nothing to say of other words, comments and blanks', () => {
    expect(hover('sticky:\n  nob|ody: true')).toBeNull()
    expect(hover('# plan|ner')).toBeNull()
    expect(hover('sticky:  |')).toBeNull()
  })
})

describe('escapeMarkdown', () => {
  test('keeps a name from being read as markup', () => {
    expect(escapeMarkdown('a_b*c<i>[x](y)')).toBe('a\\_b\\*c\\<i\\>\\[x\\]\\(y\\)')
  })
})
