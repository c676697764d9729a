import { useState } from 'react'

/**
 * What a dialog without a trigger does when it goes (Radix's `onCloseAutoFocus`): the focus returns where it
 * was, unless something else has taken it meanwhile.
 */
export function useReturnedFocus(): (event: Event) => void {
  const [before] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
  }
}
