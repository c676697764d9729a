import type { Directive } from './tokens.ts'

/** The handles that every text may use in tags. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
])

/** What the directives of a text declare. */
export class TagHandles {
  readonly #prefixes = new Map<string, string>()
  #hasVersion = false

  /** Notes a directive; answers what it declares when that was declared before. */
  declare(directive: Directive): string | null {
    if (directive.kind === 'version') {
      const isRepeated = this.#hasVersion
      this.#hasVersion = true
      return isRepeated ? '%YAML' : null
    }
    const { handle, prefix } = directive
    if (this.#prefixes.has(handle)) return handle
    this.#prefixes.set(handle, prefix)
    return null
  }

  /** The whole tag; null when its handle is not declared. */
  resolve(handle: string, suffix: string): string | null {
    if (handle === '') return suffix
    const prefix = this.#prefixes.get(handle) ?? DEFAULTS.get(handle)
    return prefix === undefined ? null : prefix + suffix
  }
}
