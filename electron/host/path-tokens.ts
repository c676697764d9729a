import { randomBytes } from 'node:crypto'
import type { PickedPath } from '../../shared/picked-path.ts'
import { shortenHome } from './paths.ts'

/** What a token stands for. */
export interface TokenTarget {
  readonly path: string
  /** `listed_file`: the page found it by browsing; no person chose it in a dialog of the system. */
  readonly kind: 'folder' | 'file' | 'listed_file'
}

/**
 * Gives the page opaque tokens for paths, so that it can only name what the operator or the host showed it.
 */
export interface PathTokens {
  /** The token of a path, the same one each time while it is remembered. */
  readonly give: (path: string, kind: TokenTarget['kind']) => PickedPath
  /** What a token stands for; null for one that this run did not give, or has forgotten. */
  readonly take: (token: string) => TokenTarget | null
  /** The same for a token that must stand for a folder. */
  readonly folder: (token: string) => string | null
}

/** So many tokens are remembered; the ones unused for longest are forgotten first. */
const DEFAULT_CAPACITY = 20_000

/** A new vault; its tokens mean nothing to any other. `home` is shortened to `~` in labels. */
export function createTokenVault(home: string, capacity = DEFAULT_CAPACITY): PathTokens {
  // Both maps are kept in order of last use: the first key is the one to forget.
  const targets = new Map<string, TokenTarget>()
  const tokens = new Map<string, string>()

  const touch = (token: string, target: TokenTarget) => {
    targets.delete(token)
    targets.set(token, target)
  }
  const forgetOldest = () => {
    for (const [token, target] of targets) {
      if (targets.size <= capacity) return
      targets.delete(token)
      tokens.delete(keyOf(target))
    }
  }
  const take = (token: string): TokenTarget | null => {
    const target = targets.get(token)
    if (!target) return null
    touch(token, target)
    return target
  }
  return {
    give: (path, kind) => {
      const target: TokenTarget = { path, kind }
      const token = tokens.get(keyOf(target)) ?? randomBytes(18).toString('base64url')
      tokens.set(keyOf(target), token)
      touch(token, target)
      forgetOldest()
      return { token, label: shortenHome(path, home) }
    },
    take,
    folder: (token) => {
      const target = take(token)
      return target?.kind === 'folder' ? target.path : null
    },
  }
}

function keyOf({ kind, path }: TokenTarget): string {
  return `${kind}:${path}`
}
