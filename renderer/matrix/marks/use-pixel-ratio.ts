import { useSyncExternalStore } from 'react'

/** The page's own zoom is a style of the document, which the device pixel ratio knows nothing of. */
function presentRatio(): number {
  const zoom = document.documentElement.currentCSSZoom as number | undefined
  return window.devicePixelRatio * (zoom ?? 1)
}

function subscribe(changed: () => void): () => void {
  // A media query reports one ratio only, so after each change the next one is listened for.
  let query: MediaQueryList | null = null
  const follow = (): void => {
    query?.removeEventListener('change', onChange)
    query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`)
    query.addEventListener('change', onChange)
  }
  const onChange = (): void => {
    follow()
    changed()
  }
  follow()
  const zoom = new MutationObserver(changed)
  zoom.observe(document.documentElement, { attributeFilter: ['style'] })
  return () => {
    query?.removeEventListener('change', onChange)
    zoom.disconnect()
  }
}

/** Device pixels per CSS pixel, followed when the window moves to another screen or is zoomed. */
export function usePixelRatio(): number {
  return useSyncExternalStore(subscribe, presentRatio)
}
