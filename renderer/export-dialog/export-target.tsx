import { FolderOpen } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ExportRequest } from '../../shared/host-api.ts'
import { EXPORT_FORMATS } from '../../shared/export/export-report.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import { selectInputs, selectPlan } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { documentNote, EXPORT_CHOICES, type ExportWhat } from './export-model.ts'
import { FolderChoice } from './folder-choice.tsx'
import { MovesPicture } from './moves-picture.tsx'
import styles from './export-dialog.module.css'

const FORMATS = EXPORT_FORMATS.map((id) => ({ id, label: id.toUpperCase() }))

interface ExportTargetProps {
  readonly what: ExportWhat
  readonly onWhat: (what: ExportWhat) => void
  readonly format: ExportRequest['format']
  readonly onFormat: (format: ExportRequest['format']) => void
  readonly roles: readonly string[]
  /** Roles that are left out. */
  readonly left: ReadonlySet<string>
  readonly onLeft: (left: ReadonlySet<string>) => void
  readonly folder: PickedPath | null
  /** Where this lab was last exported to; undefined while that is not known. */
  readonly remembered: PickedPath | null | undefined
  readonly onFolder: (folder: PickedPath | null) => void
}

/** The first step: what, which roles, where. */
export function ExportTarget(props: ExportTargetProps): ReactNode {
  const { what, onWhat, format, onFormat, roles, left, onLeft, folder, remembered, onFolder } = props
  const [isBrowsing, setIsBrowsing] = useState(false)
  const planner = usePlanner()
  const plan = usePlannerState(selectPlan)
  const inputs = usePlannerState(selectInputs)
  const native = usePlannerState((state) => state.host?.nativeDialogs ?? false)
  const note = documentNote(what)
  const pick = async (): Promise<void> => {
    const result = await planner.client.call.pickFolder({ purpose: 'export' })
    if (!result.ok) planner.view.tellError(result.error)
    else if (result.value !== null) onFolder(result.value)
  }
  const toggle = (role: string): void => {
    const next = new Set(left)
    if (!next.delete(role)) next.add(role)
    onLeft(next)
  }
  return (
    <div className={styles.target}>
      <div className={styles.choices}>
        <Segmented label="What to export" options={EXPORT_CHOICES} value={what} onChange={onWhat} />
        {note === null ? (
          <Segmented label="Format" options={FORMATS} value={format} onChange={onFormat} />
        ) : null}
      </div>
      <section className={styles.folder} aria-label="Folder">
        <h3 className={styles.heading}>Folder</h3>
        {native ? (
          <div className={styles.picked}>
            <Button onClick={() => void pick()}>
              <FolderOpen size={14} aria-hidden="true" />
              Choose a folder…
            </Button>
            <span className={styles.path} title={folder?.label}>
              {folder?.label ?? 'None chosen yet'}
            </span>
          </div>
        ) : remembered === undefined ? null : remembered !== null && !isBrowsing ? (
          <div className={styles.picked}>
            <Button onClick={() => setIsBrowsing(true)}>
              <FolderOpen size={14} aria-hidden="true" />
              Choose another folder…
            </Button>
            <span className={styles.path} title={remembered.label}>
              Writes to {remembered.label}, as last time
            </span>
          </div>
        ) : (
          <FolderChoice onFolder={onFolder} />
        )}
      </section>
      {note === null ? (
        <section className={styles.roles} aria-label="Roles to export">
          <h3 className={styles.heading}>
            Roles ({roles.length - roles.filter((role) => left.has(role)).length} of {roles.length})
            <Button variant="link" onClick={() => onLeft(new Set())}>
              All
            </Button>
            <Button variant="link" onClick={() => onLeft(new Set(roles))}>
              None
            </Button>
          </h3>
          <ul className={styles.roleList}>
            {roles.map((role) => (
              <li key={role}>
                <label className={styles.role} title={role}>
                  <input type="checkbox" checked={!left.has(role)} onChange={() => toggle(role)} />
                  <span className={styles.roleName}>{role}</span>
                </label>
              </li>
            ))}
          </ul>
        </section>
      ) : (
        <p className={styles.text}>{note}</p>
      )}
      {what === 'runbook' && inputs !== null && plan !== null ? (
        <MovesPicture plan={plan} nodes={inputs.lab.nodes} />
      ) : null}
    </div>
  )
}
