import type { ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import { overlayText } from '../store/overlay-state.ts'
import { selectUnsaved } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import styles from './lab-states.module.css'

/**
 * Above the panes while the planner that runs now does not take this page's calls: what to do, and the way to copy
 * an unsaved overlay or to save it as a file.
 */
export function ConnectionBanner(): ReactNode {
  const connection = usePlannerState((state) => state.connection)
  const unsaved = usePlannerState(selectUnsaved)
  const isOpen = usePlannerState((state) => state.lab.status === 'open')
  // Where no lab is on screen, what fills the window says it.
  if (!isOpen) return null
  switch (connection) {
    case 'connected':
    case 'away':
      return null
    case 'refused':
      return (
        <div className={styles.banner} role="alert">
          <span className={styles.bannerText}>
            Lab Planner was started again, and this page has no key to it. Open the address that it printed,
            in any tab of this browser: this page then goes on.
            {unsaved ? ' Your unsaved overlay is kept here.' : ''}
          </span>
          {unsaved ? <Rescue /> : null}
        </div>
      )
    case 'other_lab':
      return (
        <div className={styles.banner} role="alert">
          <span className={styles.bannerText}>
            Lab Planner was started again with another lab. The plan on screen and your unsaved overlay belong
            to the lab before: copy the text or save it as a file, then go on.
          </span>
          <Rescue />
          <Button variant="link" onClick={() => location.reload()}>
            Discard it and show the other lab
          </Button>
        </div>
      )
  }
}

function Rescue(): ReactNode {
  const { view } = usePlanner()
  const overlay = usePlannerState((state) => state.overlay)
  if (overlay === null) return null
  const copy = (): void => {
    navigator.clipboard.writeText(overlayText(overlay)).then(
      () => view.toast('success', 'Copied the overlay'),
      () => view.toast('error', 'The clipboard cannot be written; save the text as a file'),
    )
  }
  return (
    <>
      <Button variant="link" onClick={copy}>
        Copy the overlay
      </Button>
      <Button variant="link" onClick={() => download(fileName(overlay.file), overlayText(overlay))}>
        Save it as a file…
      </Button>
    </>
  )
}

/** Has the browser save `text` where it saves downloads, or where the person says. */
function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
