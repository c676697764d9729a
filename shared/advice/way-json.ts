import type { JsonInput } from '../json/json-text.ts'
import { changeText } from './advice-words.ts'
import type { Change } from './change.ts'
import type { LabWay, WayAnswer } from './shortest-way.ts'

/** A way as `explain --json` has it. */
export function wayToJson({ way, isComplete }: WayAnswer, text: string) {
  return {
    found: way !== null,
    complete: isComplete,
    text,
    node_id: way?.nodeId ?? null,
    changes: (way?.changes ?? []).map(changeToJson),
    stops: way?.stops ?? [],
  } satisfies JsonInput
}

/** What it would take to run every role, as `explain --json` without a role has it. */
export function labWayToJson({ changes, before, after, left, stops, isComplete }: LabWay) {
  return {
    complete: isComplete,
    roles_running: before,
    roles_running_then: after,
    changes: changes.map(changeToJson),
    left,
    stops,
  } satisfies JsonInput
}

function changeToJson(change: Change) {
  return { kind: change.kind, text: changeText(change) }
}
