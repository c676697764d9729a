import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import styles from './file-view.module.css'

interface FileViewProps {
  readonly file: string
  /** 1-based; the line that is lit and scrolled to, or null. */
  readonly line: number | null
}

const LINE_PX = 18

/** A file of the lab as the host last read it, read-only: the planner changes the overlay and nothing else. */
export function FileView({ file, line }: FileViewProps): ReactNode {
  const planner = usePlanner()
  const text = useFileText(file)
  const native = usePlannerState((state) => state.host?.nativeDialogs ?? false)
  const reveal = async (): Promise<void> => {
    const result = await planner.client.call.reveal({ what: 'lab_file', file })
    if (!result.ok) planner.view.tellError(result.error)
  }
  return (
    <Dialog
      wide
      title={fileName(file)}
      description={`${file}, read-only`}
      onClose={planner.view.closeDialog}
      footer={
        <>
          <span className={styles.path} title={file}>
            {file}
          </span>
          {native ? <Button onClick={() => void reveal()}>Reveal in folder</Button> : null}
          <Button onClick={planner.view.closeDialog}>Done</Button>
        </>
      }
    >
      {text.kind === 'text' ? (
        <Lines label="Text of the file" text={text.text} line={line} />
      ) : (
        <EmptyState title={TITLES[text.kind]} />
      )}
    </Dialog>
  )
}

type FileText =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'waiting' } | { readonly kind: 'none' }

const TITLES = { waiting: 'Fetching the file…', none: 'The file could not be read' } as const

/** The text of a file as it was when the lab on screen was read. */
function useFileText(file: string): FileText {
  const planner = usePlanner()
  const hash = usePlannerState((state) =>
    state.lab.status === 'open'
      ? state.lab.snapshot.lab.files.find((known) => known.file === file)?.hash
      : undefined,
  )
  const [fetched, setFetched] = useState<{ readonly hash: string; readonly text: string | null } | null>(null)
  useEffect(() => {
    if (hash === undefined) return
    let isCurrent = true
    void planner.client.call.labTexts({ hashes: [hash] }).then((result) => {
      if (isCurrent) setFetched({ hash, text: result.ok ? (result.value[0] ?? null) : null })
    })
    return () => {
      isCurrent = false
    }
  }, [planner, hash])
  if (hash === undefined) return { kind: 'none' }
  // Until the text of a file that changed is there, the one before stays.
  if (fetched === null) return { kind: 'waiting' }
  return fetched.text === null ? { kind: 'none' } : { kind: 'text', text: fetched.text }
}

interface LinesProps {
  readonly label: string
  readonly text: string
  /** 1-based; the line that is lit and scrolled to, or null. */
  readonly line: number | null
}

/** The numbered lines of a text of any length. */
export function Lines({ label, text, line }: LinesProps): ReactNode {
  const lines = useMemo(() => text.split(/\r\n|\r|\n/), [text])
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
    initialRect: { width: 800, height: 400 },
  })
  useEffect(() => {
    if (line !== null) rows.scrollToIndex(line - 1, { align: 'center' })
  }, [line, rows])
  return (
    <div ref={scroll} className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
      <div className={styles.lines} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            className={styles.line}
            data-lit={index + 1 === line}
            style={{ transform: `translateY(${start}px)` }}
          >
            <span className={styles.number}>{index + 1}</span>
            <span className={styles.text}>{lines[index]}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
