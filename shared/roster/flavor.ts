import { RUNTIME_TRAITS, RUNTIMES, type Runtime } from '../inference-spec.ts'
import { asciiLowercase, firstWord } from './rust-text.ts'

const ADAPTERS: ReadonlyMap<string, Runtime> = new Map(
  RUNTIMES.flatMap((runtime) => RUNTIME_TRAITS[runtime].backends.map((backend) => [backend, runtime])),
)

/**
 * The adapter that the roster's `backend` text names, the first listed when it offers alternatives; null when
 * none runs it (docs/reference.md R7).
 */
export function flavorForBackend(backend: string): Runtime | null {
  const first = firstWord(backend)
  return first === null ? null : (ADAPTERS.get(asciiLowercase(first)) ?? null)
}
