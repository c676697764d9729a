import { describe, expect, test } from 'vitest'
import type { InferenceSpec } from '../../shared/inference-spec.ts'
import { parseOverlay } from '../../shared/overlay/parse-overlay.ts'
import { hasErrors, readFailed, type Problem, type Read } from '../../shared/problem.ts'
import { importRoster } from '../../shared/roster/import-roster.ts'
import type { ImportedRoster } from '../../shared/roster/types.ts'
import { loadVectors } from '../support/vectors.ts'

interface RosterVector {
  readonly name: string
  readonly roster: string
  readonly overlay: string
  readonly expect: ImportedJson | { readonly error: true; readonly line?: number; readonly column?: number }
}

/** An import as the vectors write it, byte counts as decimal texts. */
interface ImportedJson {
  readonly specs: readonly { readonly spec: unknown; readonly repo: string; readonly status: string }[]
  readonly skipped: readonly (readonly [id: string, reason: string])[]
}

function specJson(spec: InferenceSpec): unknown {
  return {
    role: spec.role,
    ...(spec.model === null ? {} : { model: spec.model }),
    runtime: spec.runtime,
    serve: spec.serve.port === null ? {} : { port: spec.serve.port },
    memory: {
      weights_bytes: spec.memory.weightsBytes.toString(),
      kv_budget_bytes: spec.memory.kvBudgetBytes.toString(),
    },
    ...(spec.excludes.length === 0 ? {} : { excludes: spec.excludes }),
    latency_class: spec.latencyClass,
    sticky: spec.sticky,
    api: spec.api,
  }
}

function importedJson({ specs, skipped }: ImportedRoster): ImportedJson {
  return {
    specs: specs.map(({ spec, repo, status }) => ({ spec: specJson(spec), repo, status })),
    skipped: skipped.map(({ id, reason }) => [id, reason] as const),
  }
}

/** Imports as a host does: an overlay with an error leaves no roster. */
function importBoth(roster: string, overlayText: string): Read<ImportedRoster> {
  const overlay = parseOverlay(overlayText)
  return overlay.ok ? importRoster(roster, overlay.value.overlay) : readFailed(overlay.problems)
}

function firstPlace(problems: readonly Problem[]): { line: number; column: number } | null {
  const start = problems[0]?.range?.start
  return start ? { line: start.line, column: start.column } : null
}

describe('a roster with its overlay is imported as by the reference', () => {
  for (const vector of loadVectors<RosterVector>('roster')) {
    test(vector.name, () => {
      const read = importBoth(vector.roster, vector.overlay)
      if ('error' in vector.expect) {
        const { line, column } = vector.expect
        expect(read.ok).toBe(false)
        expect(hasErrors(read.problems)).toBe(true)
        // The reference stops at its first problem, which must be ours as well.
        if (line !== undefined && column !== undefined)
          expect(firstPlace(read.problems)).toEqual({ line, column })
      } else {
        expect(read.problems).toEqual([])
        expect(read.ok && importedJson(read.value)).toEqual(vector.expect)
      }
    })
  }
})
