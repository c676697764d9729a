/** A mounted file system as the machine lists it. */
export interface Mount {
  /** What is mounted: the same for several mounts of one file system. */
  readonly source: string
  readonly path: string
  readonly freeBytes: bigint
  /** Whether anything can be written there; found out by asking for it, not by what is mounted. */
  readonly writable: boolean
}

/** A place that weights can be on. */
export interface StorageTier {
  readonly kind: 'internal' | 'external'
  /** Bytes; null when it is not mounted. */
  readonly freeBytes: bigint | null
}

/**
 * Folders that drives are mounted below; a drive's own folder is named by its label, which no one else
 * needs to know.
 */
const EXTERNAL_PARENTS = [
  /^\/Volumes\/[^/]+/,
  /^\/media\/[^/]+/,
  /^\/mnt\/[^/]+/,
  /^\/run\/media\/[^/]+\/[^/]+/,
]

/** The system's own mounts, and what is below them: no weights are kept there. */
const SYSTEM_MOUNTS = [
  ...['/boot', '/dev', '/etc', '/nix/store', '/proc', '/run', '/snap', '/sys'],
  ...['/private/var/vm', '/System/Volumes', '/var/lib/containerd', '/var/lib/docker'],
]

function isSystemMount(path: string): boolean {
  return SYSTEM_MOUNTS.some((mount) => path === mount || path.startsWith(`${mount}/`))
}

/** Whether what is mounted at `path` is an external drive: by the folder it is mounted below. */
export function isExternalMount(path: string): boolean {
  return EXTERNAL_PARENTS.some((parent) => parent.test(path))
}

/**
 * The storage tiers of a machine: each file system that weights could go to once, and a tier that is not
 * mounted for each of `awayMounts`, the drives that models were scanned on and that are not there now.
 */
export function storageTiers(
  mounts: readonly Mount[],
  awayMounts: readonly string[],
): readonly StorageTier[] {
  const seen = new Set<string>()
  const tiers: StorageTier[] = []
  for (const { source, path, freeBytes, writable } of mounts) {
    const external = isExternalMount(path)
    if (!writable) continue
    if (!external && isSystemMount(path)) continue
    if (seen.has(source)) continue
    seen.add(source)
    tiers.push({ kind: external ? 'external' : 'internal', freeBytes })
  }
  const away = awayMounts.filter(isExternalMount)
  return [...tiers, ...away.map((): StorageTier => ({ kind: 'external', freeBytes: null }))]
}
