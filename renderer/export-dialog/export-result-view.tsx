import type { ReactNode } from 'react'
import type { ExportOutcome, ExportResult } from '../../shared/export/export-report.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { OUTCOME_LABELS } from './export-model.ts'
import styles from './export-dialog.module.css'

const TONES: Readonly<Record<ExportOutcome, 'plain' | 'blue' | 'amber' | 'red'>> = {
  written: 'blue',
  same: 'plain',
  left_changed: 'amber',
  refused: 'red',
  failed: 'red',
}

/** The last step: what became of each file. */
export function ExportResultView({ result }: { readonly result: ExportResult }): ReactNode {
  const planner = usePlanner()
  const native = usePlannerState((state) => state.host?.nativeDialogs ?? false)
  const counts = new Map<ExportOutcome, number>()
  for (const { outcome } of result.files) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  const summary = [...counts].map(([outcome, count]) => `${count} ${OUTCOME_LABELS[outcome]}`).join(', ')
  const reveal = async (): Promise<void> => {
    const outcome = await planner.client.call.reveal({ what: 'token', token: result.folder.token })
    if (!outcome.ok) planner.view.tellError(outcome.error)
  }
  return (
    <div>
      <p className={styles.text} role="status">
        {summary === '' ? 'Nothing was to be written' : summary} in <code>{result.folder.label}</code>{' '}
        {native ? (
          <Button variant="link" onClick={() => void reveal()}>
            Reveal in folder
          </Button>
        ) : null}
      </p>
      <ul className={styles.results} aria-label="Written files">
        {result.files.map((file) => (
          <li key={file.fileName} className={styles.result}>
            <span className={styles.fileName} title={file.fileName}>
              {file.fileName}
            </span>
            <Badge tone={TONES[file.outcome]}>{OUTCOME_LABELS[file.outcome]}</Badge>
            {file.reason === null ? null : <span className={styles.reason}>{file.reason}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
