import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { DraftReport } from '../../shared/draft/draft-json.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FolderBrowser } from '../ui/folder-browser.tsx'
import { draftRows, previewText, rowFaults, wantedEntries, type DraftRow } from './draft-model.ts'
import { DraftTable } from './draft-table.tsx'
import { scanWhenOpen } from './scan-when-open.ts'
import styles from './new-lab.module.css'

/** A first roster from the models on this machine and from the lists of other tools. */
export function NewLabDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'new_lab')
  return open ? <NewLab /> : null
}

function NewLab(): ReactNode {
  const planner = usePlanner()
  const [places, setPlaces] = useState<readonly PickedPath[]>([])
  const [report, setReport] = useState<DraftReport | null>(null)
  const [rows, setRows] = useState<readonly DraftRow[]>([])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    let isOld = false
    void planner.client.call
      .draftRoster({ places: places.map(({ token }) => token), usual: true })
      .then((result) => {
        if (isOld) return
        if (!result.ok) {
          setError(result.error.message)
          return
        }
        setError(null)
        setReport(result.value)
        setRows(draftRows(result.value))
      })
    return () => {
      isOld = true
    }
  }, [planner, places])

  const faults = useMemo(() => rowFaults(rows), [rows])
  const isSound = faults.every((each) => Object.keys(each).length === 0)
  const wanted = rows.filter(({ included }) => included).length
  const preview = report === null ? '' : isSound ? previewText(rows, report) : PREVIEW_WAITS
  const changeRow = (index: number, change: Partial<DraftRow>): void => {
    setCopied(false)
    setRows(rows.map((row, i) => (i === index ? { ...row, ...change } : row)))
  }
  const write = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    const result = await planner.client.call.writeRoster({ entries: [...wantedEntries(rows)] })
    setBusy(false)
    if (!result.ok) {
      setError(result.error.message)
      return
    }
    const { file, lab } = result.value
    planner.view.toast('success', `Wrote ${file}`)
    scanWhenOpen(planner, lab.label)
    planner.lab.open({ to: 'open', token: lab.token, label: lab.label })
  }
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(preview)
      setCopied(true)
    } catch {
      setError('The clipboard cannot be written; select the text and copy it.')
    }
  }
  return (
    <Dialog
      wide
      title="New lab"
      description="A first roster from the models on this machine"
      onClose={planner.view.closeDialog}
      footer={
        <>
          <span className={styles.error} role="alert">
            {error}
          </span>
          <Button onClick={planner.view.closeDialog}>Cancel</Button>
          {report?.isThere === true ? (
            <Button variant="primary" disabled={!isSound || wanted === 0} onClick={() => void copy()}>
              {copied ? 'Copied' : 'Copy the entries'}
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={busy || report === null || !isSound || wanted === 0}
              onClick={() => void write()}
            >
              Write the roster
            </Button>
          )}
        </>
      }
    >
      <div className={styles.body}>
        <p className={styles.text}>
          A roster is the list of model servers that you want to run: for each a role, a model, its memory and
          its port. The planner reads it, decides which machine runs what, and never writes it again.
        </p>
        {report === null ? (
          error === null ? (
            <p role="status">Looking for models on this machine…</p>
          ) : null
        ) : (
          <Proposals report={report} rows={rows} faults={faults} onRow={changeRow} preview={preview} />
        )}
        {report === null ? null : <MorePlaces places={places} onPlaces={setPlaces} />}
      </div>
    </Dialog>
  )
}

const PREVIEW_WAITS = '# Correct the marked fields first.'

interface ProposalsProps {
  readonly report: DraftReport
  readonly rows: readonly DraftRow[]
  readonly faults: ReturnType<typeof rowFaults>
  readonly onRow: (index: number, change: Partial<DraftRow>) => void
  readonly preview: string
}

function Proposals({ report, rows, faults, onRow, preview }: ProposalsProps): ReactNode {
  const { leftOut, remarks, roster, isThere } = report
  return (
    <>
      <p role="status">{sentence(report)}</p>
      {rows.length === 0 ? (
        <EmptyState title={isThere ? 'Nothing is missing' : 'No models were found'}>
          {isThere
            ? `${roster} has every model that was found.`
            : 'Put GGUF files or model folders into ~/models, or add a folder that has some below.'}
        </EmptyState>
      ) : (
        <>
          <DraftTable rows={rows} faults={faults} remarks={remarks} onRow={onRow} />
          <section aria-label="Preview">
            <h3 className={styles.heading}>{isThere ? `To be copied into ${roster}` : roster}</h3>
            <pre className={styles.preview} tabIndex={0} aria-label="Preview of the roster">
              {preview}
            </pre>
          </section>
        </>
      )}
      {leftOut.length === 0 ? null : (
        <details className={styles.leftOut}>
          <summary>
            {leftOut.length === 1 ? '1 entry passed over' : `${leftOut.length} entries passed over`}
          </summary>
          <ul>
            {leftOut.map(({ place, reason }) => (
              <li key={`${place} ${reason}`} className={styles.remark}>
                {place}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function sentence({ entries, isThere, roster }: DraftReport): string {
  const count = entries.length === 1 ? '1 entry is' : `${entries.length} entries are`
  if (isThere) return `${roster} is there and stays as it is. ${count} new: copy them below its roster key.`
  return `${count} proposed for ${roster}, which is not there yet.`
}

interface MorePlacesProps {
  readonly places: readonly PickedPath[]
  readonly onPlaces: (places: readonly PickedPath[]) => void
}

/** Folders beside the usual places of this machine. */
function MorePlaces({ places, onPlaces }: MorePlacesProps): ReactNode {
  const planner = usePlanner()
  const native = usePlannerState((state) => state.host?.nativeDialogs ?? false)
  const [browsing, setBrowsing] = useState(false)
  const [here, setHere] = useState<PickedPath | null>(null)
  const add = (place: PickedPath | null): void => {
    setBrowsing(false)
    if (place !== null && !places.some(({ label }) => label === place.label)) onPlaces([...places, place])
  }
  const pick = async (): Promise<void> => {
    if (!native) {
      setBrowsing(true)
      return
    }
    const result = await planner.client.call.pickFolder({ purpose: 'scan' })
    if (result.ok) add(result.value)
    else planner.view.tellError(result.error)
  }
  return (
    <section aria-label="Places" className={styles.text}>
      Looked in this machine’s usual places{places.map(({ label }) => `, ${label}`)}.{' '}
      {browsing ? (
        <>
          <FolderBrowser client={planner.client} onFolder={setHere} />
          <Button disabled={here === null} onClick={() => add(here)}>
            Look in this folder
          </Button>
        </>
      ) : (
        <Button variant="link" onClick={() => void pick()}>
          Look in another folder…
        </Button>
      )}
    </section>
  )
}
