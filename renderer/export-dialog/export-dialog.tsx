import type { ReactNode } from 'react'
import { usePlannerState } from '../store/use-planner.ts'
import { ExportFlow } from './export-flow.tsx'

/** Writing specs, preferences or the plan to a folder, after a look at what would change there. */
export function ExportDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'export')
  return open ? <ExportFlow /> : null
}
