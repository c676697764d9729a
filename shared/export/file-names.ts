/** Device names that Windows takes for itself in every folder, with any extension. */
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i

/**
 * File name stems (without an extension) for `roles`, one each and in their order. They are safe on Windows
 * and macOS and differ from each other under case folding. What a file name cannot say is percent-encoded,
 * and `%` is in no role, so a stem can be read back:
 *
 * - `:` becomes `%3A`;
 * - a name reserved on Windows has its first letter encoded: `con` becomes `%63on`;
 * - of roles that differ in case only, every capital is encoded: `Coder` beside `coder` becomes `%43oder`;
 * - a role listed again is numbered after a `~`, which is in no role either: `coder~2`.
 *
 * Give all importable roles of the roster, also when some of them only are exported: then a role's name does
 * not depend on that choice.
 *
 * @param roles plain tokens (docs/formats.md, "Roster"), as every importable role is.
 */
export function exportStems(roles: readonly string[]): readonly string[] {
  const spellings = new Map<string, Set<string>>()
  for (const role of roles) {
    const folded = role.toLowerCase()
    spellings.set(folded, (spellings.get(folded) ?? new Set()).add(role))
  }
  const uses = new Map<string, number>()
  return roles.map((role) => {
    const clashes = (spellings.get(role.toLowerCase())?.size ?? 1) > 1
    const use = (uses.get(role) ?? 0) + 1
    uses.set(role, use)
    const stem = safeStem(role, clashes)
    return use === 1 ? stem : `${stem}~${use}`
  })
}

function safeStem(role: string, encodeCapitals: boolean): string {
  const stem = role.replace(encodeCapitals ? /[^a-z0-9._+-]/g : /[^A-Za-z0-9._+-]/g, percentEncoded)
  // Windows looks at what stands before the first dot only: `nul.json` and `nul.x.json` are the device too.
  const device = stem.split('.', 1)[0] ?? ''
  return RESERVED_ON_WINDOWS.test(device) ? percentEncoded(stem.charAt(0)) + stem.slice(1) : stem
}

function percentEncoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
