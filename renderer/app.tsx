import { lazy, Suspense, type ReactNode } from 'react'
import { Header } from './header/header.tsx'
import { LabBanner } from './lab-states/lab-banner.tsx'
import { NoLab } from './lab-states/no-lab.tsx'
import { PolicyBar } from './policy/policy-bar.tsx'
import { StatusBar } from './status-bar/status-bar.tsx'
import { usePlanner, usePlannerState } from './store/use-planner.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Toaster } from './ui/toaster.tsx'
import { useAppearance, useWindowCommands } from './use-window.ts'
import styles from './app.module.css'

// The window is painted before the panes' code is here, as it is before the lab is read; asked for at once, both come
// while the other does. Dialogs come last.
const panes = import('./panes.tsx')
const Panes = lazy(async () => ({ default: (await panes).Panes }))
const OverlayDialogs = lazy(async () => ({
  default: (await import('./overlay-editor/overlay-dialogs.tsx')).OverlayDialogs,
}))
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog/export-dialog.tsx')).ExportDialog }))
const OpenLabDialog = lazy(async () => ({ default: (await import('./open-lab/open-lab-dialog.tsx')).OpenLabDialog }))
const OpenScenarioDialog = lazy(async () => ({
  default: (await import('./open-lab/open-scenario-dialog.tsx')).OpenScenarioDialog,
}))
const ScanDialog = lazy(async () => ({ default: (await import('./scan/scan-dialog.tsx')).ScanDialog }))
const ComparisonDialog = lazy(async () => ({
  default: (await import('./comparison/comparison-dialog.tsx')).ComparisonDialog,
}))
const SuggestDialog = lazy(async () => ({ default: (await import('./suggest/suggest-dialog.tsx')).SuggestDialog }))
const AssumeDialog = lazy(async () => ({ default: (await import('./policy/assume-dialog.tsx')).AssumeDialog }))
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
      <main className={styles.panes}>
        {planned ? (
          <Suspense>
            <Panes />
          </Suspense>
        ) : (
          <NoLab lab={lab} />
        )}
      </main>
      <StatusBar />
      <ErrorBoundary what="the dialog">
        <Suspense>
          <ExportDialog />
          <OpenLabDialog />
          <OpenScenarioDialog />
          <OverlayDialogs />
          <PaletteDialogs />
          <ScanDialog />
          <SuggestDialog />
          <AssumeDialog />
          <ComparisonDialog />
        </Suspense>
      </ErrorBoundary>
      <Toaster toasts={toasts} onDismiss={view.dismissToast} />
    </div>
  )
}
