import fc from 'fast-check'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { parseOverlay } from '../../../../shared/overlay/parse-overlay.ts'
import { EMPTY_OVERLAY } from '../../../../shared/overlay/types.ts'
import { importEntries, importRoster } from '../../../../shared/roster/import-roster.ts'
import { readRoster } from '../../../../shared/roster/read-roster.ts'

const ROSTER = `# the lab
roster:
- id: coder
  role: daily "coding" agent
  name: Qwen3
  repo: &org org/a
  backend: mlx_lm
  ram_gb: ~55
  port: 8081
- {id: voice, repo: *org, backend: 'llama.cpp or ollama', ram_gb: 4.9, port: 0x1F91}
- id: eyes
  backend: mlx_vlm
  notes: |
    two lines
    of text
`

/** Pieces that mean something to YAML, one way or another. */
const PIECES = [
  ...Array.from(' \t\n\r\u0085\u2028\ufeff:-?#&*!|>\'"[]{},%@`~\\\0\u{1F600}é0'),
  '\n  ',
  '\n- ',
  ': ',
  '---\n',
  '...\n',
  '&a ',
  '*a',
  '!!int ',
  '!t ',
  '"\\x',
  '|-\n ',
  'roster:',
  'id',
  '<<: ',
  '\ud83d',
]
const piece = fc.constantFrom(...PIECES)

/** The roster above with pieces put in or in place of what was there. */
const mutated = fc
  .array(fc.record({ at: fc.nat(ROSTER.length), drop: fc.nat(4), piece: fc.option(piece, { nil: '' }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((edits) =>
    edits.reduce((text, { at, drop, piece: put }) => text.slice(0, at) + put + text.slice(at + drop), ROSTER),
  )

const anyText = fc.oneof(
  mutated,
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

const RUNS = { numRuns: 400 }

describe('importing any text', () => {
  test('never throws, and answers with entries or with problems that have a place in the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const read = importRoster(text, EMPTY_OVERLAY)
        expect(read.ok).toBe(read.problems.length === 0)
        const lines = text.split(/\r\n|\r|\n/).length
        for (const { range, message } of read.problems) {
          expect(message).not.toBe('')
          expect(range).not.toBeNull()
          expect(range?.start.offset).toBeLessThanOrEqual(range?.end.offset ?? -1)
          expect(range?.end.offset).toBeLessThanOrEqual(text.length)
          expect(range?.start.line).toBeLessThanOrEqual(lines)
        }
      }),
      RUNS,
    )
  })

  test('accounts for every entry that was read, in the order of the roster', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const read = readRoster(text, 'queue.yaml')
        if (!read.ok) return
        const { specs, skipped } = importEntries(read.value, EMPTY_OVERLAY)
        const order = new Map(read.value.entries.map((entry, index) => [entry, index]))
        const places = (list: readonly { entry: (typeof read.value.entries)[number] }[]) =>
          list.map(({ entry }) => order.get(entry) ?? -1)
        const all = [...places(specs), ...places(skipped)]
        expect(all.toSorted((a, b) => a - b)).toEqual([...order.values()])
        for (const list of [places(specs), places(skipped)])
          expect(list).toEqual(list.toSorted((a, b) => a - b))
      }),
      RUNS,
    )
  })

  test('never throws for an overlay either', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const read = parseOverlay(text)
        expect(read.ok).toBe(read.problems.length === 0)
      }),
      RUNS,
    )
  })
})

/** Texts that some scalar style can hold; YAML's own forbidden characters are written as escapes. */
const word = fc.string({ unit: fc.constantFrom(...Array.from('aZ09 .:-#\'"\\~é😀\t\n')), maxLength: 12 })
const fields = fc.record({
  id: fc.constantFrom('a', 'b', 'c-1', 'no token'),
  role: word,
  name: word,
  repo: word,
  backend: fc.constantFrom('ollama', 'mlx_lm', 'vllm'),
  ram_gb: fc.constantFrom(1, 2.5, 4096, 5000),
  port: fc.constantFrom(null, 1, 8081),
})

/** A roster of `entries` as JSON, which YAML takes as it is. */
function rosterOf(
  entries: readonly object[],
  keys: (entry: object) => [string, unknown][] = Object.entries,
): string {
  const written = entries.map((entry) => {
    return `  {${keys(entry)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join(', ')}}`
  })
  return `roster: [\n${written.join(',\n')}\n]\n`
}

describe('importing rosters that are well formed', () => {
  test('reads what another YAML reader reads', () => {
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 5 }), (entries) => {
        const text = rosterOf(entries)
        const read = readRoster(text, 'queue.yaml')
        const expected = (parse(text) as { roster: typeof entries }).roster
        expect(
          read.ok &&
            read.value.entries.map(({ id, role, name, repo, port }) => ({ id, role, name, repo, port })),
        ).toEqual(expected.map(({ id, role, name, repo, port }) => ({ id, role, name, repo, port })))
      }),
      { numRuns: 100 },
    )
  })

  test('does not depend on the order of the keys of an entry', () => {
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 5 }), fc.infiniteStream(fc.nat(9)), (entries, turns) => {
        const turned = rosterOf(entries, (entry) => {
          const keys = Object.entries(entry)
          const by = turns.next().value % keys.length
          return [...keys.slice(by), ...keys.slice(0, by)]
        })
        const seen = [rosterOf(entries), turned].map((text) => {
          const read = importRoster(text, EMPTY_OVERLAY)
          return (
            read.ok && [
              read.value.specs.map(({ spec }) => spec),
              read.value.skipped.map(({ id, reason }) => [id, reason]),
            ]
          )
        })
        expect(seen[1]).toEqual(seen[0])
      }),
      { numRuns: 100 },
    )
  })

  test('reads the same with any line break', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('\r\n', '\r', '\u0085', '\u2028'),
        fc.array(fields, { maxLength: 3 }),
        (lineBreak, entries) => {
          const text = rosterOf(entries)
          const idsOf = (source: string) => {
            const read = importRoster(source, EMPTY_OVERLAY)
            return read.ok && read.value.specs.map(({ spec }) => spec)
          }
          expect(idsOf(text.replaceAll('\n', lineBreak))).toEqual(idsOf(text))
        },
      ),
      { numRuns: 100 },
    )
  })
})
