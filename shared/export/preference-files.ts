import { localityPreference, modelPresentRequirement } from '../locality/preference.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { ExportFile } from './export-files.ts'
import { exportStems } from './file-names.ts'

/**
 * How much a placement engine should prefer a node that holds the model, when the operator says nothing else.
 */
export const DEFAULT_PREFERENCE_WEIGHT = 100

export interface PreferenceFiles {
  readonly files: readonly ExportFile[]
  /** Roles that get no file: without a manifest there is no model to prefer. */
  readonly withoutManifest: readonly string[]
}

/**
 * The placement preferences of a plan's roles, one JSON file each: `preference` is the soft wish for a node
 * that already holds the model, `requirement` the hard form of it (docs/reference.md P1 and P2). They are named
 * `ROLE~preference.json`, so that they can lie beside the specs.
 *
 * @param roles all roles of the plan (`RolePlan`s), in roster order.
 * @param options.roles the roles to export; absent or null means all.
 */
export function preferenceFiles(
  roles: readonly { readonly role: string; readonly manifest: ModelManifest | null }[],
  options: { readonly weight?: number; readonly roles?: ReadonlySet<string> | null } = {},
): PreferenceFiles {
  const weight = options.weight ?? DEFAULT_PREFERENCE_WEIGHT
  const stems = exportStems(roles.map(({ role }) => role))
  const files: ExportFile[] = []
  const withoutManifest: string[] = []
  roles.forEach(({ role, manifest }, i) => {
    if (options.roles && !options.roles.has(role)) return
    if (manifest === null) {
      withoutManifest.push(role)
      return
    }
    const content = {
      role,
      preference: localityPreference(manifest.body, manifest.packageId, weight),
      requirement: modelPresentRequirement(manifest.packageId),
    }
    const fileName = `${stems[i] ?? role}~preference.json`
    files.push({ role, fileName, text: `${JSON.stringify(content, null, 2)}\n` })
  })
  return { files, withoutManifest }
}
