import { Pencil, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MachineRow } from '../../shared/gather/report.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { machineLine, staleLine } from './machine-words.ts'
import styles from './machines.module.css'

interface MachineItemProps {
  readonly machine: MachineRow
  readonly nowSecs: number
  /** Whether any machine is being gathered: then no other run can begin. */
  readonly running: boolean
  readonly onGather: () => void
  readonly onStop: () => void
  readonly onEdit: () => void
}

/** One machine: what is going on with it, and the way to gather or stop it alone. */
export function MachineItem({
  machine,
  nowSecs,
  running,
  onGather,
  onStop,
  onEdit,
}: MachineItemProps): ReactNode {
  const { nodeId, ssh, roots, state } = machine
  const isUnderWay = state?.kind === 'connecting' || state?.kind === 'working' || state?.kind === 'waiting'
  const stale = staleLine(machine, nowSecs)
  const where = roots.length === 0 ? 'its usual places' : roots.join(', ')
  return (
    <li className={styles.machine}>
      <div className={styles.grow}>
        <div className={styles.name} title={nodeId}>
          {nodeId}
        </div>
        <div className={styles.where} title={`${ssh}: ${where}`}>
          ssh {ssh}, models in {where}
        </div>
        <div className={state?.kind === 'failed' ? styles.failed : styles.line}>
          {machineLine(machine, nowSecs)}
        </div>
        {stale === null ? null : <div className={styles.note}>{stale}</div>}
        {state?.kind === 'working' && state.progress.totalBytes !== '0' ? (
          <progress
            className={styles.progress}
            aria-label={`Hashing on ${nodeId}`}
            max={1}
            value={Number(state.progress.doneBytes) / Number(state.progress.totalBytes)}
          />
        ) : null}
        {state?.kind === 'gathered' ? (
          <>
            {state.manifests.map((file) => (
              <div key={file} className={styles.line}>
                new manifest: {file}
              </div>
            ))}
            {state.notes.map((note) => (
              <div key={note} className={styles.note}>
                {note}
              </div>
            ))}
          </>
        ) : null}
      </div>
      <StateBadge machine={machine} />
      <IconButton
        label={`Edit the place of ${nodeId}`}
        icon={<Pencil size={14} />}
        variant="quiet"
        disabled={running}
        onClick={onEdit}
      />
      {isUnderWay && running ? (
        <IconButton label={`Stop ${nodeId}`} icon={<X size={14} />} variant="quiet" onClick={onStop} />
      ) : (
        <Button aria-label={`Gather ${nodeId}`} disabled={running} onClick={onGather}>
          Gather
        </Button>
      )}
    </li>
  )
}

function StateBadge({ machine: { state } }: { readonly machine: MachineRow }): ReactNode {
  switch (state?.kind) {
    case 'gathered':
      return <Badge tone="blue">gathered</Badge>
    case 'failed':
      return <Badge tone="red">no answer</Badge>
    case 'stopped':
      return <Badge tone="amber">stopped</Badge>
    case 'waiting':
    case 'connecting':
    case 'working':
      return <Badge>under way</Badge>
    case undefined:
      return null
  }
}
