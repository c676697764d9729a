import type { Planner } from '../store/planner.ts'

/**
 * Opens the scan of this machine as soon as the lab of that name is open: a roster alone cannot be planned. When another
 * lab is opened instead, or none can be, nothing happens.
 */
export function scanWhenOpen(planner: Planner, labName: string): void {
  const before = planner.store.getState().lab
  const stop = planner.store.subscribe(({ lab, dialog }) => {
    if (lab === before || lab.status === 'opening') return
    stop()
    const isIt = lab.status === 'open' && lab.snapshot.lab.name === labName
    if (isIt && dialog === null) planner.view.openDialog({ kind: 'scan' })
  })
}
