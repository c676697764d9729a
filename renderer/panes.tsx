import { startTransition, useEffect, useState, type ReactNode } from 'react'
import { ExplainPane } from './explain/explain-pane.tsx'
import { MatrixPane } from './matrix/matrix-pane.tsx'
import { OverlayPane } from './overlay-editor/overlay-pane.tsx'
import { RosterPane } from './roster-list/roster-pane.tsx'
import { afterPaint } from './ui/after-paint.ts'
import { createLazyModule, useLazyModule } from './ui/lazy-module.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Pane } from './ui/pane.tsx'
import { Panel, PanelGroup, Separator } from './ui/panels.tsx'
import styles from './app.module.css'

const dragBoard = createLazyModule(() => import('./drag-board/drag-board.tsx'))

/** The panes in the order in which they are drawn. */
const STAGES = { roster: 0, matrix: 1, explain: 2, overlay: 3, board: 4 } as const

/** The panels of an open lab: roster, matrix and explanation above, overlay and drag board below. */
export function Panes(): ReactNode {
  const stage = useStage(STAGES.board)
  return (
    <PanelGroup name="rows" orientation="vertical">
      <Panel id="plan" defaultSize="64%" minSize={220}>
        <PanelGroup name="columns" orientation="horizontal">
          <Panel id="roster" defaultSize="21%" minSize={230}>
            <ErrorBoundary what="the roster">
              <RosterPane />
            </ErrorBoundary>
          </Panel>
          <Separator className={styles.vertical} aria-label="Width of the roster" />
          <Panel id="matrix" minSize={340}>
            <ErrorBoundary what="the matrix">
              {stage < STAGES.matrix ? <Pane name="Shard matrix">{null}</Pane> : <MatrixPane />}
            </ErrorBoundary>
          </Panel>
          <Separator className={styles.vertical} aria-label="Width of the matrix" />
          <Panel id="explain" defaultSize="28%" minSize={260}>
            <ErrorBoundary what="the explanation">
              {stage < STAGES.explain ? <Pane name="Explanation">{null}</Pane> : <ExplainPane />}
            </ErrorBoundary>
          </Panel>
        </PanelGroup>
      </Panel>
      <Separator className={styles.horizontal} aria-label="Height of the upper panes" />
      <Panel id="overlay-row" minSize={150}>
        <PanelGroup name="overlay" orientation="horizontal">
          <Panel id="editor" defaultSize="48%" minSize={300}>
            <ErrorBoundary what="the overlay editor">
              {stage < STAGES.overlay ? <Pane name="Overlay">{null}</Pane> : <OverlayPane />}
            </ErrorBoundary>
          </Panel>
          <Separator className={styles.vertical} aria-label="Width of the overlay" />
          <Panel id="board" minSize={340}>
            <ErrorBoundary what="the drag board">
              {stage < STAGES.board ? <EmptyBoard /> : <Board />}
            </ErrorBoundary>
          </Panel>
        </PanelGroup>
      </Panel>
    </PanelGroup>
  )
}

/**
 * Counts from 0 to `last`, one step after each paint: drawn all at once, the panes would keep the window from answering
 * for as long as all of them take.
 */
function useStage(last: number): number {
  const [stage, setStage] = useState(0)
  useEffect(() => {
    if (stage >= last) return
    return afterPaint(() => startTransition(() => setStage(stage + 1)))
  }, [stage, last])
  return stage
}

function Board(): ReactNode {
  const arrived = useLazyModule(dragBoard)
  return arrived === null ? <EmptyBoard /> : <arrived.DragBoard />
}

function EmptyBoard(): ReactNode {
  return <Pane name="Drag board">{null}</Pane>
}
