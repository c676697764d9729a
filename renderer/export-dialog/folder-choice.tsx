import { useCallback, useState, type ReactNode } from 'react'
import type { PickedPath } from '../../shared/picked-path.ts'
import { usePlanner } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { FolderBrowser } from '../ui/folder-browser.tsx'
import styles from './export-dialog.module.css'

/** Choosing where to write without a native dialog: walk to a folder, or name a new one in it. */
export function FolderChoice({
  onFolder,
}: {
  readonly onFolder: (folder: PickedPath | null) => void
}): ReactNode {
  const planner = usePlanner()
  const [here, setHere] = useState<PickedPath | null>(null)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<PickedPath | null>(null)
  const [error, setError] = useState<string | null>(null)
  const show = useCallback(
    (folder: PickedPath) => {
      setHere(folder)
      setChosen(folder)
      onFolder(folder)
    },
    [onFolder],
  )
  const chooseNew = async (): Promise<void> => {
    if (here === null || name.trim() === '') return
    const result = await planner.client.call.childFolder({ token: here.token, name: name.trim() })
    if (result.ok) {
      setChosen(result.value)
      setError(null)
      onFolder(result.value)
    } else setError(result.error.message)
  }
  return (
    <div className={styles.folderChoice}>
      <FolderBrowser client={planner.client} onFolder={show} />
      <div className={styles.picked}>
        <Field
          label="New folder name"
          placeholder="New folder in here"
          value={name}
          error={error}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void chooseNew()
          }}
        />
        <Button disabled={name.trim() === '' || here === null} onClick={() => void chooseNew()}>
          Use new folder
        </Button>
        <span className={styles.path} title={error ?? chosen?.label}>
          {error ?? (chosen === null ? '' : `Writes to ${chosen.label}`)}
        </span>
      </div>
    </div>
  )
}
