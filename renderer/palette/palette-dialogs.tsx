import type { ReactNode } from 'react'
import { usePlannerState } from '../store/use-planner.ts'
import { AboutDialog } from './about-dialog.tsx'
import { CommandPalette } from './command-palette.tsx'
import { FileView } from './file-view.tsx'
import { ProblemsDialog } from './problems-dialog.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'

/** The dialogs one looks things up in: the palette, the shortcuts, the licenses, all problems, a file. */
export function PaletteDialogs(): ReactNode {
  const dialog = usePlannerState((state) => state.dialog)
  switch (dialog?.kind) {
    case 'palette':
      return <CommandPalette />
    case 'shortcuts':
      return <ShortcutSheet />
    case 'about':
      return <AboutDialog />
    case 'problems':
      return <ProblemsDialog />
    case 'file':
      return <FileView key={dialog.file} file={dialog.file} line={dialog.line} />
    case 'export':
    case 'conflict':
    case 'compare_overlay':
    case 'open_lab':
    case 'scan':
    case 'new_lab':
    case 'machines':
    case 'live':
    case 'suggest':
    case 'assume':
    case 'open_scenario':
    case 'name_scenario':
    case 'delete_scenario':
    case 'compare_scenarios':
    case 'every_role':
    case 'role_memory':
    case 'comparison':
    case 'unsaved':
    case undefined:
      return null
  }
}
