import { useEffect, useRef, useState, type ReactNode } from 'react'
import { loadMonaco } from './monaco.ts'
import { createDiffView, type DiffView as Comparison } from './monaco-diff.ts'
import styles from './diff-view.module.css'

interface DiffViewProps {
  readonly original: string
  readonly modified: string
  /** Accessible names of the two sides. */
  readonly originalLabel: string
  readonly modifiedLabel: string
}

/**
 * Two texts compared in Monaco; until it has arrived (or where it cannot be loaded) they stand side by side
 * as they are.
 */
export function DiffView({ original, modified, originalLabel, modifiedLabel }: DiffViewProps): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  const [comparison, setComparison] = useState<Comparison | null>(null)

  useEffect(() => {
    let made: Comparison | null = null
    let gone = false
    const arrive = async (): Promise<void> => {
      const monaco = await loadMonaco()
      if (gone || host.current === null) return
      made = createDiffView(monaco, host.current, { original: originalLabel, modified: modifiedLabel })
      setComparison(made)
    }
    // Without Monaco the two texts stay on screen as they are.
    arrive().catch(() => undefined)
    return () => {
      gone = true
      made?.dispose()
    }
  }, [originalLabel, modifiedLabel])

  useEffect(() => comparison?.show({ original, modified }), [comparison, original, modified])

  return (
    <div className={styles.view}>
      <div ref={host} className={styles.host} />
      {comparison === null ? (
        <div className={styles.plain}>
          <pre aria-label={originalLabel}>{original}</pre>
          <pre aria-label={modifiedLabel}>{modified}</pre>
        </div>
      ) : null}
    </div>
  )
}
