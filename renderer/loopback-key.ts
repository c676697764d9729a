/** Where a page keeps the key to its host. */
export interface LoopbackKey {
  /** The newest key that any page of this origin was given; null when none was. */
  readonly current: () => string | null
  /** Calls `listener` when this page or another one of the origin is given a key. */
  readonly onNew: (listener: () => void) => void
}

const STORED_AS = 'lab-planner-key'

/**
 * The key in the address's fragment. It is taken out of the address at once and kept for all pages of this origin (this
 * port), so that a second tab and a reload need no address of their own, and a page of an earlier run goes on with the
 * key that a new tab was given.
 */
export function browserKey(): LoopbackKey {
  const take = (): boolean => {
    const key = new URLSearchParams(location.hash.slice(1)).get('key')
    if (key === null) return false
    localStorage.setItem(STORED_AS, key)
    history.replaceState(null, '', location.pathname)
    return true
  }
  take()
  return {
    current: () => localStorage.getItem(STORED_AS),
    onNew: (listener) => {
      window.addEventListener('hashchange', () => {
        if (take()) listener()
      })
      // Sent to the other pages of the origin only.
      window.addEventListener('storage', ({ key }) => {
        if (key === STORED_AS) listener()
      })
    },
  }
}
