import type { ReactNode } from 'react'
import { ComparisonDialog } from './comparison/comparison-dialog.tsx'
import { EveryRoleDialog } from './every-role/every-role-dialog.tsx'
import { ExportDialog } from './export-dialog/export-dialog.tsx'
import { LiveDialog } from './live/live-dialog.tsx'
import { MachinesDialog } from './machines/machines-dialog.tsx'
import { NewLabDialog } from './new-lab/new-lab-dialog.tsx'
import { OpenLabDialog } from './open-lab/open-lab-dialog.tsx'
import { OpenScenarioDialog } from './open-lab/open-scenario-dialog.tsx'
import { OverlayDialogs } from './overlay-editor/overlay-dialogs.tsx'
import { PaletteDialogs } from './palette/palette-dialogs.tsx'
import { AssumeDialog } from './policy/assume-dialog.tsx'
import { RoleMemoryDialog } from './role-memory/role-memory-dialog.tsx'
import { ScanDialog } from './scan/scan-dialog.tsx'
import { ScenarioDialogs } from './scenarios/scenario-dialogs.tsx'
import { SuggestDialog } from './suggest/suggest-dialog.tsx'

/** Whichever dialog is open: each is of one feature and knows by itself whether it is the one. */
export function Dialogs(): ReactNode {
  return (
    <>
      <ExportDialog />
      <OpenLabDialog />
      <OpenScenarioDialog />
      <OverlayDialogs />
      <PaletteDialogs />
      <NewLabDialog />
      <MachinesDialog />
      <ScanDialog />
      <LiveDialog />
      <SuggestDialog />
      <ScenarioDialogs />
      <EveryRoleDialog />
      <RoleMemoryDialog />
      <AssumeDialog />
      <ComparisonDialog />
    </>
  )
}
