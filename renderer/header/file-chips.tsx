import type { ReactNode } from 'react'
import type { LabFileKind } from '../../shared/lab/lab-places.ts'
import { fileName } from '../../shared/file-name.ts'
import { selectUnsaved } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { classes } from '../ui/classes.ts'
import styles from './header.module.css'

/** The lab's files at a glance: there, broken, missing or with unsaved edits. */
export function FileChips(): ReactNode {
  const planner = usePlanner()
  const lab = usePlannerState((state) => (state.lab.status === 'open' ? state.lab : null))
  const overlay = usePlannerState((state) => state.overlay)
  const unsaved = usePlannerState(selectUnsaved)
  if (lab === null || overlay === null) return <div className={styles.files} />
  const { files } = lab.snapshot.lab
  const roster = files.find((file) => file.kind === 'roster')
  const overlayStatus = overlay.stale
    ? 'broken'
    : unsaved
      ? 'unsaved'
      : overlay.base === null
        ? 'missing'
        : 'good'
  const showFile = (file: string): void => planner.view.openDialog({ kind: 'file', file, line: null })
  return (
    <div className={styles.files}>
      <Chip
        name={roster ? fileName(roster.file) : 'no roster'}
        title={roster ? `${roster.file} (read-only; click to look)` : 'The lab has no roster'}
        status={
          roster === undefined ? 'missing' : lab.rosterStale === null && lab.lab.roster ? 'good' : 'broken'
        }
        onClick={roster ? () => showFile(roster.file) : undefined}
      />
      <Chip
        name={fileName(overlay.file)}
        title={overlay.file}
        status={overlayStatus}
        note={NOTES[overlayStatus]}
      />
      <span className={classes(styles.chip, styles.optional)}>
        {count(lab.lab.manifests.length, 'manifest')}
      </span>
      <span
        className={classes(styles.chip, styles.optional)}
        title={count(files.filter(isOf('node')).length, 'node facts file')}
      >
        {count(lab.lab.nodes.length, 'node')}
      </span>
    </div>
  )
}

type Status = 'good' | 'unsaved' | 'missing' | 'broken'

const NOTES: Readonly<Record<Status, string | null>> = {
  good: null,
  unsaved: 'unsaved',
  missing: 'not there yet',
  broken: 'has errors',
}

const DOTS: Readonly<Record<Status, string | undefined>> = {
  good: undefined,
  unsaved: styles.dotUnsaved,
  missing: styles.dotMissing,
  broken: styles.dotBroken,
}

function isOf(kind: LabFileKind): (file: { readonly kind: LabFileKind }) => boolean {
  return (file) => file.kind === kind
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

interface ChipProps {
  readonly name: string
  readonly title: string
  readonly status: Status
  readonly note?: string | null
  readonly onClick?: (() => void) | undefined
}

function Chip({ name, title, status, note = null, onClick }: ChipProps): ReactNode {
  const inside = (
    <>
      <span className={classes(styles.dot, DOTS[status])} aria-hidden="true" />
      <span className={styles.chipName}>{name}</span>
      {note === null ? null : <span>{note}</span>}
    </>
  )
  if (onClick === undefined) {
    return (
      <span className={styles.chip} title={title}>
        {inside}
      </span>
    )
  }
  return (
    <button type="button" className={styles.chip} title={title} onClick={onClick}>
      {inside}
    </button>
  )
}
