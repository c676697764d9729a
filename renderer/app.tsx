import type { ReactNode } from 'react'
import { Header } from './header/header.tsx'
import { ConnectionBanner } from './lab-states/connection-banner.tsx'
import { LabBanner } from './lab-states/lab-banner.tsx'
import { NoLab } from './lab-states/no-lab.tsx'
import { PolicyBar } from './policy/policy-bar.tsx'
import { StatusBar } from './status-bar/status-bar.tsx'
import { usePlanner, usePlannerState } from './store/use-planner.ts'
import { createLazyModule, useLazyModule } from './ui/lazy-module.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Toaster } from './ui/toaster.tsx'
import { useAppearance, useWindowCommands } from './use-window.ts'
import styles from './app.module.css'

// The window is painted before the panes' code is here, as it is before the lab is read; asked for at once, both come
// while the other does. Dialogs come last.
const panes = createLazyModule(() => import('./panes.tsx'))
panes.fetch()
const dialogs = createLazyModule(() => import('./dialogs.tsx'))

/** The window: header, policy, panes and status bar, and whichever dialog is open. */
export function App(): ReactNode {
  useAppearance()
  useWindowCommands()
  const { view } = usePlanner()
  const lab = usePlannerState((state) => state.lab)
  const toasts = usePlannerState((state) => state.toasts)
  const hasDialog = usePlannerState((state) => state.dialog !== null)
  const planned = lab.status === 'open' && lab.lab.roster !== null
  return (
    <div className={styles.window}>
      <Header />
      <ConnectionBanner />
      {planned ? (
        <>
          <PolicyBar />
          <LabBanner />
        </>
      ) : null}
      <main className={styles.panes}>
        <ErrorBoundary what="the window">{planned ? <Planned /> : <NoLab lab={lab} />}</ErrorBoundary>
      </main>
      <StatusBar />
      <ErrorBoundary what="the dialog">
        <AnyDialog />
      </ErrorBoundary>
      <Toaster toasts={toasts} besideDialog={hasDialog} onDismiss={view.dismissToast} />
    </div>
  )
}

function Planned(): ReactNode {
  const arrived = useLazyModule(panes)
  return arrived === null ? null : <arrived.Panes />
}

function AnyDialog(): ReactNode {
  const wanted = usePlannerState(({ lab, dialog }) => lab.status !== 'opening' || dialog !== null)
  const arrived = useLazyModule(dialogs, wanted)
  return arrived === null ? null : <arrived.Dialogs />
}
