import { useEffect, useLayoutEffect } from 'react'
import { plannerCommands, runCommand } from './store/commands.ts'
import { isUnsaved } from './store/overlay-state.ts'
import { commandForPress } from './store/shortcuts.ts'
import { usePlanner, usePlannerState } from './store/use-planner.ts'
import { useRoom } from './ui/use-room.ts'

/** Keeps the document's theme and zoom as the settings say. */
export function useAppearance(): void {
  const theme = usePlannerState((state) => state.settings.theme)
  const zoom = usePlannerState((state) => state.settings.zoom)
  useEffect(() => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const apply = (): void => {
      document.documentElement.dataset['theme'] =
        theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [theme])
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('zoom', String(zoom))
    // For what is placed by the window's own pixels: menus, and what is being dragged.
    style.setProperty('--zoom', String(zoom))
  }, [zoom])
  // For stylesheets: a media query knows nothing of the zoom.
  const room = useRoom()
  useLayoutEffect(() => {
    document.documentElement.dataset['room'] = room
  }, [room])
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement
  )
}

/**
 * Whether the text field that is being typed into took the menu's undo or redo, as it takes their keys. The editors of the
 * overlay are not asked: their history is the planner's.
 */
function isDoneByField(command: string): boolean {
  const field = document.activeElement
  if ((command !== 'undo' && command !== 'redo') || field === null || !isTextField(field)) return false
  if (field.closest('[data-history=planner]') !== null) return false
  // Old, and the only way to a field's own history.
  const editing: { readonly execCommand: (name: string) => boolean } = document
  editing.execCommand(command)
  return true
}

/** Keys, the host's menu and dropped files: what reaches the window from outside its panes. */
export function useWindowCommands(): void {
  const planner = usePlanner()
  const isMac = usePlannerState((state) => state.host?.platform === 'mac')
  useEffect(() => {
    const commands = plannerCommands(planner)
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const command = commandForPress(commands, event, { isMac, inTextField: isTextField(event.target) })
      if (command === null) return
      // Also when it cannot run now: the browser's own meaning of the key (save the page) would be worse.
      event.preventDefault()
      const state = planner.store.getState()
      if (state.dialog === null && command.enabled(state)) command.run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [planner, isMac])

  useEffect(
    () =>
      planner.client.on('menuCommand', (command) => {
        if (command === 'close-requested') planner.lab.close()
        else if (!isDoneByField(command)) runCommand(planner, command)
      }),
    [planner],
  )

  useEffect(() => {
    // A file may have been changed in another program meanwhile, on a drive that does not report it.
    const onFocus = (): void => {
      if (planner.store.getState().lab.status === 'open') void planner.client.call.lookAgain({})
    }
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [planner])

  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent): void => {
      const { overlay, host } = planner.store.getState()
      // Electron's window asks by itself; a browser's tab can only be held back like this.
      if (host?.kind === 'browser' && overlay !== null && isUnsaved(overlay)) event.preventDefault()
    }
    window.addEventListener('beforeunload', onLeave)
    return () => window.removeEventListener('beforeunload', onLeave)
  }, [planner])
}
