import { startTransition, useEffect, useState, type ReactNode } from 'react'
import { ExplainPane } from './explain/explain-pane.tsx'
import { MatrixPane } from './matrix/matrix-pane.tsx'
import { OverlayPane } from './overlay-editor/overlay-pane.tsx'
import { PaneTabs } from './pane-tabs.tsx'
import { RosterPane } from './roster-list/roster-pane.tsx'
import type { PaneName } from './store/view-state.ts'
import { afterPaint } from './ui/after-paint.ts'
import { createLazyModule, useLazyModule } from './ui/lazy-module.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Pane } from './ui/pane.tsx'
import { Panel, PanelGroup, Separator } from './ui/panels.tsx'
import { useRoom } from './ui/use-room.ts'
import styles from './app.module.css'

const dragBoard = createLazyModule(() => import('./drag-board/drag-board.tsx'))

/** The panes in the order in which they are drawn. */
const STAGES: Readonly<Record<PaneName, number>> = {
  Roster: 0,
  'Shard matrix': 1,
  Explanation: 2,
  Overlay: 3,
  'Drag board': 4,
}

/** What is in each pane. */
const CONTENTS: Readonly<Record<PaneName, () => ReactNode>> = {
  Roster: () => <RosterPane />,
  'Shard matrix': () => <MatrixPane />,
  Explanation: () => <ExplainPane />,
  Overlay: () => <OverlayPane />,
  'Drag board': () => <Board />,
}

/** The panes of an open lab, as the window has room for them: beside each other, or as tabs. */
export function Panes(): ReactNode {
  const room = useRoom()
  const stage = useStage(STAGES['Drag board'])
  const paneOf = (name: PaneName): ReactNode => (
    <ErrorBoundary what={`the pane ${name}`}>
      {stage < STAGES[name] ? <Pane name={name}>{null}</Pane> : CONTENTS[name]()}
    </ErrorBoundary>
  )
  switch (room) {
    case 'wide':
    case 'medium':
      return <PanesBesideEachOther paneOf={paneOf} />
    case 'tabs':
      return (
        <PanelGroup name="roster-and-tabs" orientation="horizontal">
          <Panel id="roster" defaultSize="32%" minSize={220}>
            {paneOf('Roster')}
          </Panel>
          <Separator className={styles.vertical} aria-label="Width of the roster" />
          <Panel id="tabs" minSize={340}>
            <PaneTabs panes={['Shard matrix', 'Explanation', 'Overlay', 'Drag board']} paneOf={paneOf} />
          </Panel>
        </PanelGroup>
      )
    case 'single':
      return (
        <PaneTabs
          panes={['Roster', 'Shard matrix', 'Explanation', 'Overlay', 'Drag board']}
          paneOf={paneOf}
        />
      )
  }
}

/** Roster, matrix and explanation above, overlay and drag board below. */
function PanesBesideEachOther({ paneOf }: { readonly paneOf: (name: PaneName) => ReactNode }): ReactNode {
  return (
    <PanelGroup name="rows" orientation="vertical">
      <Panel id="plan" defaultSize="64%" minSize={220}>
        <PanelGroup name="columns" orientation="horizontal">
          <Panel id="roster" defaultSize="21%" minSize={230}>
            {paneOf('Roster')}
          </Panel>
          <Separator className={styles.vertical} aria-label="Width of the roster" />
          <Panel id="matrix" minSize={340}>
            {paneOf('Shard matrix')}
          </Panel>
          <Separator className={styles.vertical} aria-label="Width of the matrix" />
          <Panel id="explain" defaultSize="28%" minSize={260}>
            {paneOf('Explanation')}
          </Panel>
        </PanelGroup>
      </Panel>
      <Separator className={styles.horizontal} aria-label="Height of the upper panes" />
      <Panel id="overlay-row" minSize={150}>
        <PanelGroup name="overlay" orientation="horizontal">
          <Panel id="editor" defaultSize="48%" minSize={300}>
            {paneOf('Overlay')}
          </Panel>
          <Separator className={styles.vertical} aria-label="Width of the overlay" />
          <Panel id="board" minSize={340}>
            {paneOf('Drag board')}
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
  return arrived === null ? <Pane name="Drag board">{null}</Pane> : <arrived.DragBoard />
}
