import { lazy, Suspense, type ReactNode } from 'react'
import { ExplainPane } from './explain/explain-pane.tsx'
import { Header } from './header/header.tsx'
import { LabBanner } from './lab-states/lab-banner.tsx'
import { NoLab } from './lab-states/no-lab.tsx'
import { MatrixPane } from './matrix/matrix-pane.tsx'
import { OverlayDialogs } from './overlay-editor/overlay-dialogs.tsx'
import { OverlayPane } from './overlay-editor/overlay-pane.tsx'
import { PolicyBar } from './policy/policy-bar.tsx'
import { RosterPane } from './roster-list/roster-pane.tsx'
import { StatusBar } from './status-bar/status-bar.tsx'
import { usePlanner, usePlannerState } from './store/use-planner.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Pane } from './ui/pane.tsx'
import { Panel, PanelGroup, Separator } from './ui/panels.tsx'
import { Toaster } from './ui/toaster.tsx'
import { useAppearance, useWindowCommands } from './use-window.ts'
import styles from './app.module.css'

// What is not needed to read a plan comes after the first paint: dragging, exports, lookups.
const DragBoard = lazy(async () => ({ default: (await import('./drag-board/drag-board.tsx')).DragBoard }))
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog/export-dialog.tsx')).ExportDialog }))
const OpenLabDialog = lazy(async () => ({ default: (await import('./open-lab/open-lab-dialog.tsx')).OpenLabDialog }))
const PaletteDialogs = lazy(async () => ({ default: (await import('./palette/palette-dialogs.tsx')).PaletteDialogs }))

/** The window: header, policy, panes and status bar, and whichever dialog is open. */
export function App(): ReactNode {
  useAppearance()
  useWindowCommands()
  const { view } = usePlanner()
  const lab = usePlannerState((state) => state.lab)
  const toasts = usePlannerState((state) => state.toasts)
  const planned = lab.status === 'open' && lab.lab.roster !== null
  return (
    <div className={styles.window}>
      <Header />
      {planned ? (
        <>
          <PolicyBar />
          <LabBanner />
        </>
      ) : null}
      <main className={styles.panes}>{planned ? <Panes /> : <NoLab lab={lab} />}</main>
      <StatusBar />
      <ErrorBoundary what="the dialog">
        <Suspense>
          <ExportDialog />
          <OpenLabDialog />
          <OverlayDialogs />
          <PaletteDialogs />
        </Suspense>
      </ErrorBoundary>
      <Toaster toasts={toasts} onDismiss={view.dismissToast} />
    </div>
  )
}

function Panes(): ReactNode {
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
