import { X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { PickedPath } from '../../shared/picked-path.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { FolderBrowser } from '../ui/folder-browser.tsx'
import styles from './scan.module.css'

interface ScanPlacesProps {
  readonly places: readonly PickedPath[]
  readonly onPlaces: (places: readonly PickedPath[]) => void
  readonly usual: boolean
  readonly onUsual: (usual: boolean) => void
}

/** Where to look: the usual places of this machine, and folders of one's choice. */
export function ScanPlaces({ places, onPlaces, usual, onUsual }: ScanPlacesProps): ReactNode {
  const planner = usePlanner()
  const native = usePlannerState((state) => state.host?.nativeDialogs ?? false)
  const isSample = usePlannerState(({ lab }) => lab.status === 'open' && lab.snapshot.origin === 'sample')
  const [here, setHere] = useState<PickedPath | null>(null)
  const add = (place: PickedPath): void => {
    if (!places.some(({ label }) => label === place.label)) onPlaces([...places, place])
  }
  const pick = async (): Promise<void> => {
    const result = await planner.client.call.pickFolder({ purpose: 'scan' })
    if (!result.ok) planner.view.tellError(result.error)
    else if (result.value !== null) add(result.value)
  }
  return (
    <div className={styles.places}>
      <p className={styles.text}>
        Weights are read where they lie: nothing is copied, moved or written beside them. Each model becomes a
        manifest in the lab’s <code>docs/models/manifests</code>.
      </p>
      {isSample ? (
        <div className={styles.sample} role="note">
          <span className={styles.grow}>
            The sample lab is open: what is scanned goes into your copy of the sample, not into a lab of your
            own.
          </span>
          <Button onClick={() => planner.view.openDialog({ kind: 'new_lab' })}>Make my own…</Button>
          <Button onClick={() => planner.view.openDialog({ kind: 'open_lab' })}>Open my lab…</Button>
        </div>
      ) : null}
      <label className={styles.check}>
        <input type="checkbox" checked={usual} onChange={(event) => onUsual(event.target.checked)} />
        The usual places: Hugging Face’s cache, Ollama’s store, LM Studio’s and other model folders of this
        machine
      </label>
      <section aria-label="Folders to look in">
        <h3 className={styles.heading}>Folders</h3>
        <ul className={styles.placeList}>
          {places.map((place) => (
            <li key={place.token} className={styles.place}>
              <span className={styles.grow} title={place.label}>
                {place.label}
              </span>
              <IconButton
                label={`Leave out ${place.label}`}
                icon={<X size={14} />}
                variant="quiet"
                onClick={() => onPlaces(places.filter(({ token }) => token !== place.token))}
              />
            </li>
          ))}
          {places.length === 0 ? <li className={styles.text}>None added.</li> : null}
        </ul>
        {native ? (
          <Button onClick={() => void pick()}>Add a folder…</Button>
        ) : (
          <>
            <FolderBrowser client={planner.client} onFolder={setHere} />
            <Button
              className={styles.add}
              disabled={here === null}
              onClick={() => (here === null ? undefined : add(here))}
            >
              Add this folder
            </Button>
          </>
        )}
      </section>
    </div>
  )
}
