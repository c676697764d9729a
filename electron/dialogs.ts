import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron'
import type { HostDialogs } from './host/place-calls.ts'

/** The system's own dialogs, in front of `window` while there is one. */
export function nativeDialogs(window: () => BrowserWindow | null): HostDialogs {
  const pick = async (options: OpenDialogOptions): Promise<string | null> => {
    const parent = window()
    const { canceled, filePaths } = await (parent
      ? dialog.showOpenDialog(parent, options)
      : dialog.showOpenDialog(options))
    return canceled ? null : (filePaths[0] ?? null)
  }
  return {
    pickFolder: (purpose) => pick(FOLDER_OPTIONS[purpose]),
    pickFile: (purpose) => pick(FILE_OPTIONS[purpose]),
  }
}

const FOLDER_OPTIONS: Readonly<Record<Parameters<HostDialogs['pickFolder']>[0], OpenDialogOptions>> = {
  open_lab: { title: 'Open a lab', buttonLabel: 'Open', properties: ['openDirectory'] },
  scan: { title: 'Look for models', buttonLabel: 'Look here', properties: ['openDirectory'] },
  export: {
    title: 'Export to a folder',
    buttonLabel: 'Choose',
    properties: ['openDirectory', 'createDirectory'],
  },
}

const FILE_OPTIONS: Readonly<Record<Parameters<HostDialogs['pickFile']>[0], OpenDialogOptions>> = {
  open_roster: {
    title: 'Open a roster',
    buttonLabel: 'Open',
    properties: ['openFile'],
    filters: [{ name: 'Rosters', extensions: ['yaml', 'yml'] }],
  },
  open_scenario: {
    title: 'Open a scenario',
    buttonLabel: 'Open',
    properties: ['openFile'],
    filters: [{ name: 'Scenarios', extensions: ['json'] }],
  },
}
