import { JsonReport, JsonValue } from '../json/json-reader.ts'
import { readJsonSource } from '../json/json-source.ts'
import { runSync } from '../task.ts'
import { readFailed, readOk, type Read } from '../problem.ts'
import { readEnvelope } from './read-manifest.ts'
import type { ModelManifest } from './types.ts'

/** Largest registry file, in bytes. */
const MAX_REGISTRY_BYTES = 16 * 1024 * 1024

/** The schema of a registry. */
const REGISTRY_SCHEMA = 'weftos.model-registry.v1'

/**
 * Reads a model registry (docs/formats.md, "Model manifest"), at most 16 MiB: its manifests in text order, one per
 * package id. An entry with faults is reported and left out while the others stay; only a text that is no
 * registry fails.
 *
 * An entry under a key that is not its package id is reported and kept under its real id: its envelope is sound,
 * the planner looks models up by what they are, and leaving it out would hide a model the lab has.
 */
export function readRegistry(text: string, file: string): Read<readonly ModelManifest[]> {
  return runSync(readRegistryTask(text, file))
}

/** {@link readRegistry} that stops after every entry: one file may hold thousands of shards. */
export function* readRegistryTask(
  text: string,
  file: string,
): Generator<void, Read<readonly ModelManifest[]>> {
  const source = readJsonSource(text, file, MAX_REGISTRY_BYTES)
  if (!source.ok) return source
  const report = new JsonReport(source.value)
  const root = JsonValue.root(report)

  report.addRepeatedKeys((path) => path[0] !== 'models' || path.length === 1)
  if (root.object()) root.member('schema').oneOf([REGISTRY_SCHEMA])
  if (report.errors > 0 || !root.member('models').object()) return readFailed(report.problems)

  const repeated = new Set<unknown>(source.value.repeatedKeys.map(({ path }) => path[1]))
  report.addRepeatedKeys((path) => path[0] === 'models' && path.length > 1)
  const manifests = new Map<string, ModelManifest>()
  for (const [key, entry] of root.member('models').members()) {
    // What a repeated key says twice cannot be known, nor then what its entry is.
    if (repeated.has(key)) continue
    const manifest = readEntry(entry, file)
    yield
    if (manifest === null) continue
    const { packageId } = manifest
    if (key !== packageId) {
      const message =
        `this key is not the package id of its model ${manifest.body.name}, which is ${packageId}: ` +
        'the model is used under that id; correct the key, or the envelope if it was changed by mistake'
      entry.tellKey('warning', 'registry-wrong-package-id', message)
    }
    // Of two entries that are one package, the one under its own id is the registry's word.
    if (key === packageId || !manifests.has(packageId)) manifests.set(packageId, manifest)
  }
  return readOk([...manifests.values()], report.problems)
}

/** Reads one entry; null when it has faults, which are reported. */
function readEntry(entry: JsonValue, file: string): ModelManifest | null {
  if (!entry.object()) return null
  const errorsBefore = entry.errorsTold
  const refused = entry.nullable('refused')?.text() ?? null
  const manifest = readEnvelope(entry.member('envelope'), file, refused)
  return entry.errorsTold > errorsBefore ? null : manifest
}
