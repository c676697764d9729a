import { flushSync } from 'react-dom'
import { MENU_KEYS, type MenuCommand } from '../../shared/menu-commands.ts'
import { planMarkdown } from '../../shared/report/plan-markdown.ts'
import { roleMarkdown } from '../../shared/report/plan-markdown.ts'
import { selectCurrentScenario, selectScenarioChanged } from './named-scenarios.ts'
import { canRedo, canUndo } from './history.ts'
import { moveBetweenPanes } from './pane-focus.ts'
import type { Planner } from './planner.ts'
import type { PlannerState } from './planner-state.ts'
import { selectPlan, selectRole, selectUnsaved } from './selectors.ts'

type CommandId =
  | Exclude<MenuCommand, 'close-requested'>
  | 'copy-plan'
  | 'copy-explanation'
  | 'show-shards'
  | 'show-lab'
  | 'show-nodes'
  | 'show-problems'
  | 'compare-overlay'
  | 'save-scenario-as'
  | 'compare-scenarios'
  | 'reset-scenario'
  | 'new-lab'
  | 'scan'
  | 'machines'
  | 'watch'
  | 'suggest'
  | 'every-role'
  | 'open-scenario'
  | 'undo-scenario'
  | 'redo-scenario'
  | 'pin-baseline'
  | 'unpin-baseline'
  | 'show-comparison'
  | 'next-pane'
  | 'previous-pane'

/** Something the operator can do from a key, a menu, a button or the palette: one list for all of them. */
export interface Command {
  readonly id: CommandId
  readonly label: string
  readonly group: 'Lab' | 'Overlay' | 'Plan' | 'View' | 'Help'
  /** `Mod` is Command on a Mac and Ctrl elsewhere; null when it has no key. */
  readonly keys: string | null
  readonly enabled: (state: PlannerState) => boolean
  readonly run: () => void
}

/** The DOM id of the roster's search field, which `/` goes to. */
export const ROSTER_SEARCH_ID = 'roster-search'

/** Every command of the window, in the order the palette and the shortcut sheet list them. */
export function plannerCommands(planner: Planner): readonly Command[] {
  const { store, lab, overlay, scenario, view } = planner
  const always = (): boolean => true
  const opened = (state: PlannerState): boolean => state.lab.status === 'open'
  const copy = async (text: string, what: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      view.toast('success', `Copied ${what} as Markdown`)
    } catch {
      view.toast('error', 'The clipboard cannot be written; allow it for this page and try again')
    }
  }
  return [
    {
      id: 'open-lab',
      label: 'Open lab…',
      group: 'Lab',
      keys: MENU_KEYS['open-lab'],
      enabled: always,
      run: () => view.openDialog({ kind: 'open_lab' }),
    },
    {
      id: 'open-sample',
      label: 'Open the sample lab',
      group: 'Lab',
      keys: MENU_KEYS['open-sample'],
      enabled: always,
      run: () => lab.open({ to: 'open_sample' }),
    },
    {
      id: 'reload',
      label: 'Reload lab',
      group: 'Lab',
      keys: MENU_KEYS.reload,
      enabled: opened,
      run: () => void lab.reload(),
    },
    {
      id: 'scan',
      label: 'Scan models and this machine…',
      group: 'Lab',
      keys: null,
      enabled: opened,
      run: () => view.openDialog({ kind: 'scan' }),
    },
    {
      id: 'machines',
      label: 'Gather the lab’s machines…',
      group: 'Lab',
      keys: null,
      enabled: opened,
      run: () => view.openDialog({ kind: 'machines' }),
    },
    {
      id: 'new-lab',
      label: 'New lab…',
      group: 'Lab',
      keys: null,
      enabled: always,
      run: () => view.openDialog({ kind: 'new_lab' }),
    },
    {
      id: 'watch',
      label: 'Watch what runs now…',
      group: 'Lab',
      keys: null,
      enabled: opened,
      run: () => view.openDialog({ kind: 'live' }),
    },
    {
      id: 'save-overlay',
      label: 'Save overlay',
      group: 'Overlay',
      keys: MENU_KEYS['save-overlay'],
      enabled: selectUnsaved,
      run: () => void overlay.save(),
    },
    {
      id: 'undo',
      label: 'Undo',
      group: 'Overlay',
      keys: MENU_KEYS.undo,
      enabled: (state) => state.overlay !== null && canUndo(state.overlay.history),
      run: overlay.undo,
    },
    {
      id: 'redo',
      label: 'Redo',
      group: 'Overlay',
      keys: MENU_KEYS.redo,
      enabled: (state) => state.overlay !== null && canRedo(state.overlay.history),
      run: overlay.redo,
    },
    {
      id: 'compare-overlay',
      label: 'Compare the overlay with the file',
      group: 'Overlay',
      keys: null,
      enabled: selectUnsaved,
      run: () => view.openDialog({ kind: 'compare_overlay' }),
    },
    {
      id: 'export-specs',
      label: 'Export specs…',
      group: 'Plan',
      keys: MENU_KEYS['export-specs'],
      enabled: opened,
      run: () => view.openDialog({ kind: 'export' }),
    },
    {
      id: 'toggle-transfer',
      label: 'Allow or forbid weight transfer',
      group: 'Plan',
      keys: MENU_KEYS['toggle-transfer'],
      enabled: opened,
      run: () =>
        scenario.setPolicy({ allowWeightTransfer: !store.getState().scenario.policy.allowWeightTransfer }),
    },
    {
      id: 'suggest',
      label: 'Suggest a plan for all roles…',
      group: 'Plan',
      keys: null,
      enabled: opened,
      run: () => view.openDialog({ kind: 'suggest' }),
    },
    {
      id: 'every-role',
      label: 'What would run every role…',
      group: 'Plan',
      keys: null,
      enabled: (state) =>
        selectPlan(state)?.roles.some(({ outcome }) => outcome.kind === 'cannot_run') ?? false,
      run: () => view.openDialog({ kind: 'every_role' }),
    },
    {
      id: 'undo-scenario',
      label: 'Undo the last scenario change',
      group: 'Plan',
      keys: 'Alt+Z',
      enabled: (state) => state.scenarioPast.length > 0,
      run: scenario.undo,
    },
    {
      id: 'redo-scenario',
      label: 'Redo the scenario change',
      group: 'Plan',
      keys: 'Alt+Shift+Z',
      enabled: (state) => state.scenarioFuture.length > 0,
      run: scenario.redo,
    },
    {
      id: 'open-scenario',
      label: 'Open a saved scenario…',
      group: 'Plan',
      keys: null,
      enabled: opened,
      run: () => view.openDialog({ kind: 'open_scenario' }),
    },
    {
      id: 'save-scenario-as',
      label: 'Save the scenario as…',
      group: 'Plan',
      keys: null,
      enabled: opened,
      run: () => view.openDialog({ kind: 'name_scenario', to: 'save' }),
    },
    {
      id: 'compare-scenarios',
      label: 'Compare scenarios…',
      group: 'Plan',
      keys: null,
      enabled: opened,
      run: () => view.openDialog({ kind: 'compare_scenarios' }),
    },
    {
      id: 'reset-scenario',
      label: 'Reset the scenario',
      group: 'Plan',
      keys: null,
      enabled: opened,
      run: scenario.reset,
    },
    {
      id: 'pin-baseline',
      label: 'Pin the plan as the baseline',
      group: 'Plan',
      keys: 'Alt+B',
      enabled: opened,
      run: scenario.pinBaseline,
    },
    {
      id: 'unpin-baseline',
      label: 'Unpin baseline',
      group: 'Plan',
      keys: null,
      enabled: (state) => state.baseline !== null,
      run: scenario.unpinBaseline,
    },
    {
      id: 'show-comparison',
      label: 'Show what changed since the baseline',
      group: 'Plan',
      keys: 'Alt+C',
      enabled: (state) => state.baseline !== null,
      run: () => view.openDialog({ kind: 'comparison' }),
    },
    {
      id: 'copy-plan',
      label: 'Copy the plan as Markdown',
      group: 'Plan',
      keys: null,
      enabled: opened,
      run: () => {
        const state = store.getState()
        const plan = selectPlan(state)
        if (plan === null || state.lab.status !== 'open') return
        const named = selectScenarioChanged(state) ? null : selectCurrentScenario(state)
        const source = { lab: state.lab.lab.name, scenario: named?.name ?? null }
        void copy(planMarkdown(plan, source), 'the plan')
      },
    },
    {
      id: 'copy-explanation',
      label: 'Copy the explanation as Markdown',
      group: 'Plan',
      keys: 'Mod+Shift+C',
      enabled: (state) => selectRole(state) !== null,
      run: () => {
        const role = selectRole(store.getState())
        if (role) void copy(roleMarkdown(role), `the explanation of ${role.role}`)
      },
    },
    {
      id: 'find-role',
      label: 'Find a role',
      group: 'View',
      keys: MENU_KEYS['find-role'],
      enabled: opened,
      run: () => {
        flushSync(() => view.showPane('Roster'))
        document.getElementById(ROSTER_SEARCH_ID)?.focus()
      },
    },
    {
      id: 'next-pane',
      label: 'Go to the next pane',
      group: 'View',
      keys: 'F6',
      enabled: opened,
      run: () => moveBetweenPanes(1, view),
    },
    {
      id: 'previous-pane',
      label: 'Go to the previous pane',
      group: 'View',
      keys: 'Shift+F6',
      enabled: opened,
      run: () => moveBetweenPanes(-1, view),
    },
    {
      id: 'show-shards',
      label: 'Show the shards of the role',
      group: 'View',
      keys: 'Alt+1',
      enabled: opened,
      run: () => view.showCentre('shards'),
    },
    {
      id: 'show-lab',
      label: 'Show the whole lab',
      group: 'View',
      keys: 'Alt+2',
      enabled: opened,
      run: () => view.showCentre('lab'),
    },
    {
      id: 'show-nodes',
      label: 'Show the nodes',
      group: 'View',
      keys: 'Alt+3',
      enabled: opened,
      run: () => view.showCentre('nodes'),
    },
    {
      id: 'show-problems',
      label: 'Show all problems',
      group: 'View',
      keys: 'Alt+P',
      enabled: opened,
      run: () => view.openDialog({ kind: 'problems' }),
    },
    ...(['light', 'dark', 'system'] as const).map((theme): Command => ({
      id: `theme-${theme}`,
      label: theme === 'system' ? 'Follow the system’s theme' : `Use the ${theme} theme`,
      group: 'View',
      keys: null,
      enabled: always,
      run: () => view.setTheme(theme),
    })),
    {
      id: 'command-palette',
      label: 'Search or run a command',
      group: 'Help',
      keys: MENU_KEYS['command-palette'],
      enabled: always,
      run: () => view.openDialog({ kind: 'palette' }),
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      group: 'Help',
      keys: MENU_KEYS.shortcuts,
      enabled: always,
      run: () => view.openDialog({ kind: 'shortcuts' }),
    },
    {
      id: 'about',
      label: 'About and licenses',
      group: 'Help',
      keys: MENU_KEYS.about,
      enabled: always,
      run: () => view.openDialog({ kind: 'about' }),
    },
  ]
}

/** Runs the command `id` when it can be run now. */
export function runCommand(planner: Planner, id: string): void {
  const command = plannerCommands(planner).find((candidate) => candidate.id === id)
  if (command?.enabled(planner.store.getState())) command.run()
}
