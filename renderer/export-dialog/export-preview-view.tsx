import { useState, type ReactNode } from 'react'
import type { ExportPreview, ExportPreviewFile } from '../../shared/export/export-report.ts'
import { Badge } from '../ui/badge.tsx'
import { countStates, mostTelling, previewSentence, STATE_LABELS } from './export-model.ts'
import { TextDiff } from './text-diff.tsx'
import styles from './export-dialog.module.css'

interface ExportPreviewViewProps {
  readonly preview: ExportPreview
  readonly force: boolean
  readonly onForce: (force: boolean) => void
}

/** The second step: each file with its state and its difference; changed ones are replaced only on demand. */
export function ExportPreviewView({ preview, force, onForce }: ExportPreviewViewProps): ReactNode {
  const [shown, setShown] = useState(() => mostTelling(preview.files))
  const file = preview.files.find((candidate) => candidate.fileName === shown)
  const { changed } = countStates(preview)
  return (
    <div className={styles.preview}>
      <p className={styles.text}>
        To <code>{preview.folder.label}</code>: {previewSentence(preview)}
      </p>
      {changed === 0 ? null : (
        <label className={styles.force}>
          <input type="checkbox" checked={force} onChange={(event) => onForce(event.target.checked)} />
          Replace the {changed} changed {changed === 1 ? 'file' : 'files'} (otherwise left as{' '}
          {changed === 1 ? 'it is' : 'they are'})
        </label>
      )}
      <div className={styles.split}>
        <ul className={styles.files} aria-label="Files">
          {preview.files.map((candidate) => (
            <li key={candidate.fileName}>
              <button
                type="button"
                className={styles.file}
                aria-pressed={candidate.fileName === shown}
                onClick={() => setShown(candidate.fileName)}
              >
                <span className={styles.fileName} title={candidate.fileName}>
                  {candidate.fileName}
                </span>
                <StateBadge file={candidate} />
              </button>
            </li>
          ))}
        </ul>
        {file ? (
          <TextDiff
            key={file.fileName}
            name={file.fileName}
            before={file.oldText}
            after={file.newText}
            note={file.refusal}
          />
        ) : null}
      </div>
    </div>
  )
}

function StateBadge({ file }: { readonly file: ExportPreviewFile }): ReactNode {
  if (file.refusal !== null) return <Badge tone="red">refused</Badge>
  return <Badge tone={TONES[file.state]}>{STATE_LABELS[file.state]}</Badge>
}

const TONES = { new: 'blue', changed: 'amber', same: 'plain', stale: 'plain' } as const
