import { lazy, Suspense, type ReactNode } from 'react'
import { ExplainPane } from './explain/explain-pane.tsx'
import { MatrixPane } from './matrix/matrix-pane.tsx'
import { OverlayPane } from './overlay-editor/overlay-pane.tsx'
import { RosterPane } from './roster-list/roster-pane.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Pane } from './ui/pane.tsx'
import { Panel, PanelGroup, Separator } from './ui/panels.tsx'
import styles from './app.module.css'

const DragBoard = lazy(async () => ({ default: (await import('./drag-board/drag-board.tsx')).DragBoard }))

/** The panels of an open lab: roster, matrix and explanation above, overlay and drag board below. */
export function Panes(): ReactNode {
  return (
    <PanelGroup name="rows" orientation="vertical">
      <Panel id="plan" defaultSize="64%" minSize={220}>
        <PanelGroup name="columns" orientation="horizontal">
          <Panel id="roster" defaultSize="21%" minSize={230}>
            <ErrorBoundary what="the roster">
              <RosterPane />
            </ErrorBoundary>
          </Panel>
          <Separator className={styles.vertical} />
          <Panel id="matrix" minSize={340}>
            <ErrorBoundary what="the matrix">
              <MatrixPane />
            </ErrorBoundary>
          </Panel>
          <Separator className={styles.vertical} />
          <Panel id="explain" defaultSize="28%" minSize={260}>
            <ErrorBoundary what="the explanation">
              <ExplainPane />
            </ErrorBoundary>
          </Panel>
        </PanelGroup>
      </Panel>
      <Separator className={styles.horizontal} />
      <Panel id="overlay-row" minSize={150}>
        <PanelGroup name="overlay" orientation="horizontal">
          <Panel id="editor" defaultSize="48%" minSize={300}>
            <ErrorBoundary what="the overlay editor">
              <OverlayPane />
            </ErrorBoundary>
          </Panel>
          <Separator className={styles.vertical} />
          <Panel id="board" minSize={340}>
            <ErrorBoundary what="the drag board">
              <Suspense fallback={<Pane name="Drag board">{null}</Pane>}>
                <DragBoard />
              </Suspense>
            </ErrorBoundary>
          </Panel>
        </PanelGroup>
      </Panel>
    </PanelGroup>
  )
}
