import { useEffect, useState, type ReactNode } from 'react'
import type { RecentLab } from '../../shared/host-api.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FolderBrowser } from '../ui/folder-browser.tsx'
import styles from './open-lab.module.css'

/** Choosing a lab: a folder or a roster file, one opened before, or the sample. */
export function OpenLabDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'open_lab')
  return open ? <OpenLab /> : null
}

function OpenLab(): ReactNode {
  const planner = usePlanner()
  const native = usePlannerState((state) => state.host?.nativeDialogs ?? false)
  const [folder, setFolder] = useState<PickedPath | null>(null)
  const [recent, setRecent] = useState<readonly RecentLab[]>([])
  useEffect(() => {
    let wanted = true
    void planner.client.call.recentLabs({}).then((result) => {
      if (wanted && result.ok) setRecent(result.value)
    })
    return () => {
      wanted = false
    }
  }, [planner])

  const openPicked = (picked: PickedPath): void => planner.lab.open({ to: 'open', ...picked })
  const pick = async (what: 'folder' | 'roster'): Promise<void> => {
    const result =
      what === 'folder'
        ? await planner.client.call.pickFolder({ purpose: 'open_lab' })
        : await planner.client.call.pickFile({ purpose: 'open_roster' })
    if (!result.ok) planner.view.tellError(result.error)
    else if (result.value !== null) openPicked(result.value)
  }

  return (
    <Dialog
      title="Open lab"
      description="Choose the folder of a lab, or its roster file"
      onClose={planner.view.closeDialog}
      footer={
        <>
          <Button className={styles.left} onClick={() => planner.lab.open({ to: 'open_sample' })}>
            Open the sample lab
          </Button>
          <Button onClick={planner.view.closeDialog}>Cancel</Button>
          {native ? (
            <>
              <Button onClick={() => void pick('roster')}>Choose a roster…</Button>
              <Button variant="primary" onClick={() => void pick('folder')}>
                Choose a folder…
              </Button>
            </>
          ) : (
            <Button
              variant="primary"
              disabled={folder === null}
              onClick={() => (folder === null ? undefined : openPicked(folder))}
            >
              Open this folder
            </Button>
          )}
        </>
      }
    >
      <p className={styles.text}>
        A lab is a folder with <code>docs/models/queue.yaml</code> below it, such as <code>~/llm</code>. A
        roster elsewhere can be opened by itself.
      </p>
      {native ? null : <FolderBrowser client={planner.client} onFolder={setFolder} onFile={openPicked} />}
      {recent.length === 0 ? null : (
        <section aria-label="Recent labs">
          <h3 className={styles.heading}>Recent</h3>
          <ul>
            {recent.map((lab) => (
              <li key={lab.token}>
                <button
                  type="button"
                  className={styles.recent}
                  disabled={lab.missing}
                  title={lab.label}
                  onClick={() => openPicked(lab)}
                >
                  {lab.label}
                  {lab.missing ? ' (not there)' : ''}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  )
}
