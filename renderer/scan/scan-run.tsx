import type { ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import type { ScanReport } from '../../shared/scan/scan-report.ts'
import { progressText } from '../../shared/scan/progress.ts'
import { Badge } from '../ui/badge.tsx'
import { endedSentence, fraction, OUTCOMES } from './scan-model.ts'
import styles from './scan.module.css'

/** A scan under way, or what became of it. */
export function ScanRun({ report }: { readonly report: ScanReport }): ReactNode {
  return (
    <div className={styles.places}>
      <p role="status">{statusText(report)}</p>
      {report.state === 'ended' ? null : (
        <Progress label="All models" done={report.doneBytes} total={report.totalBytes} />
      )}
      <ul className={styles.models} aria-label="Models being scanned">
        {report.models.map(({ id, name, doneBytes, totalBytes, outcome }) => (
          <li key={id} className={styles.model}>
            <div className={styles.grow}>
              <div className={styles.name} title={name}>
                {name}
              </div>
              {outcome?.kind === 'failed' || outcome?.kind === 'incomplete' ? (
                <div className={styles.warning}>{outcome.reason}</div>
              ) : null}
              {outcome?.kind === 'written' || outcome?.kind === 'unchanged' ? (
                <div className={styles.where} title={outcome.file}>
                  {outcome.file}
                </div>
              ) : null}
              {outcome === null ? <Progress label={name} done={doneBytes} total={totalBytes} /> : null}
            </div>
            {outcome === null ? (
              <span className={styles.size}>{formatBytes(BigInt(totalBytes))}</span>
            ) : (
              <Badge tone={outcome.kind === 'failed' ? 'red' : outcome.kind === 'written' ? 'blue' : 'plain'}>
                {OUTCOMES[outcome.kind]}
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function statusText(report: ScanReport): string {
  switch (report.state) {
    case 'models': {
      const { rate, secondsLeft } = report
      return progressText({
        doneBytes: BigInt(report.doneBytes),
        totalBytes: BigInt(report.totalBytes),
        rate,
        secondsLeft,
      })
    }
    case 'node':
      return 'Asking this machine for its facts…'
    case 'ended':
      return endedSentence(report)
  }
}

function Progress({
  label,
  done,
  total,
}: {
  readonly label: string
  readonly done: string
  readonly total: string
}): ReactNode {
  return <progress className={styles.progress} aria-label={label} max={1} value={fraction(done, total)} />
}
