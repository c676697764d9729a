import {
  DEFAULT_LATENCY_CLASS,
  invalidSpecReason,
  LATENCY_CLASSES,
  LATENCY_TRAITS,
  type InferenceSpec,
  type LatencyClass,
} from '../inference-spec.ts'
import type { Overlay } from '../overlay/types.ts'
import { readOk, type Read } from '../problem.ts'
import { isToken, MAX_MODEL_BYTES, MAX_ROLE_BYTES } from '../token.ts'
import { flavorForBackend } from './flavor.ts'
import { readRoster } from './read-roster.ts'
import { debugQuoted } from './rust-text.ts'
import type {
  ImportedRoster,
  ImportedSpec,
  LatencySource,
  RosterDocument,
  RosterEntry,
  SkippedEntry,
} from './types.ts'

/**
 * Turns the entries of a roster into inference specs, or into skipped entries with the reason, both in roster
 * order (docs/reference.md R8). Cheap: an overlay edit repeats only this.
 */
export function importEntries(document: RosterDocument, overlay: Overlay): ImportedRoster {
  const specs: ImportedSpec[] = []
  const skipped: SkippedEntry[] = []
  /** The first entry of each server, port and weights, to tell aliases by. */
  const seen = new Map<string, string>()
  for (const entry of document.entries) {
    const outcome = importEntry(entry, overlay, seen)
    if (typeof outcome === 'string') skipped.push({ id: entry.id, reason: outcome, entry })
    else specs.push(outcome)
  }
  return { specs, skipped }
}

/**
 * Reads a roster text and turns its entries into inference specs with what `overlay` says of them. Fails with
 * every problem of the text when it has an error. `file` is the name for messages.
 */
export function importRoster(text: string, overlay: Overlay, file = 'queue.yaml'): Read<ImportedRoster> {
  const read = readRoster(text, file)
  return read.ok ? readOk(importEntries(read.value, overlay), read.problems) : read
}

/** The entry's spec, or why it has none. */
function importEntry(entry: RosterEntry, overlay: Overlay, seen: Map<string, string>): ImportedSpec | string {
  const { id, name, repo, status, port } = entry
  if (!isToken(id, MAX_ROLE_BYTES)) return 'id is not a plain token'
  const runtime = flavorForBackend(entry.backend)
  if (runtime === null) return `backend ${debugQuoted(entry.backend)} has no inference adapter`
  const server = `${runtime} ${port ?? '-'} ${repo}`
  const first = seen.get(server)
  if (first !== undefined) return `alias of ${first} (same server, port and weights)`
  if (entry.ramBytes === null) return 'ram_gb is missing or not a number'

  const latency = latencyOf(entry, overlay)
  const spec: InferenceSpec = {
    role: id,
    model: isToken(name, MAX_MODEL_BYTES) ? name : null,
    runtime,
    serve: { port },
    memory: { weightsBytes: entry.ramBytes, kvBudgetBytes: 0n },
    excludes: overlay.excludes.get(id) ?? [],
    latencyClass: latency.value,
    sticky: overlay.sticky.get(id) ?? true,
    api: 'openai-v1',
  }
  const invalid = invalidSpecReason(spec)
  if (invalid !== null) return `not a valid inference spec: invalid config: ${invalid}`
  seen.set(server, id)
  return {
    spec,
    repo,
    status,
    latencySource: latency.source,
    stickyFromOverlay: overlay.sticky.has(id),
    entry,
  }
}

function latencyOf(entry: RosterEntry, overlay: Overlay): { value: LatencyClass; source: LatencySource } {
  const chosen = overlay.latencyClass.get(entry.id)
  if (chosen !== undefined) return { value: chosen, source: 'overlay' }
  const text = `${entry.id} ${entry.role}`
  const implied = LATENCY_CLASSES.find((each) => LATENCY_TRAITS[each].rosterText?.test(text))
  if (implied !== undefined) return { value: implied, source: 'roster_text' }
  return { value: DEFAULT_LATENCY_CLASS, source: 'default' }
}
