import { ChevronDown, Redo2, Search, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { canRedo, canUndo } from '../store/history.ts'
import { selectCurrentScenario, selectScenarioChanged } from '../store/named-scenarios.ts'
import { selectUnsaved } from '../store/selectors.ts'
import { showKeys } from '../store/shortcuts.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { createLazyModule, useLazyModule } from '../ui/lazy-module.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { FileChips } from './file-chips.tsx'
import styles from './header.module.css'

// Menus come with the panes, after the first paint; until then the button is there and only its menu is not.
const labMenu = createLazyModule(() => import('./lab-menu.tsx'))
const scenarioMenu = createLazyModule(() => import('./scenario-menu.tsx'))

/** The top of the window: which lab, its files, and what is done most. */
export function Header(): ReactNode {
  const planner = usePlanner()
  const isMac = usePlannerState((state) => state.host?.platform === 'mac')
  const open = usePlannerState((state) => state.lab.status === 'open')
  const unsaved = usePlannerState(selectUnsaved)
  const saving = usePlannerState((state) => state.saving)
  const undoable = usePlannerState((state) => state.overlay !== null && canUndo(state.overlay.history))
  const redoable = usePlannerState((state) => state.overlay !== null && canRedo(state.overlay.history))
  const menu = useLazyModule(labMenu)
  const keys = (chord: string): string => showKeys(chord, isMac)
  const labButton = (
    <Button className={styles.lab}>
      <LabName />
      <ChevronDown size={14} aria-hidden="true" />
    </Button>
  )
  return (
    <header className={styles.header}>
      <h1 className={styles.brand}>
        <Logo />
        <span className={styles.brandText}>Lab Planner</span>
      </h1>
      {menu === null ? labButton : <menu.LabMenu trigger={labButton} />}
      <ScenarioSwitch />
      <FileChips />
      <Button
        className={styles.palette}
        shortcut={keys('Mod+K')}
        onClick={() => planner.view.openDialog({ kind: 'palette' })}
      >
        <Search size={14} aria-hidden="true" />
        <span className={styles.paletteLabel}>
          Search or run<span className="sr-only"> a command</span>
        </span>
      </Button>
      <IconButton
        label="Undo"
        shortcut={keys('Mod+Z')}
        icon={<Undo2 size={15} />}
        disabled={!undoable}
        onClick={planner.overlay.undo}
      />
      <IconButton
        label="Redo"
        shortcut={keys('Mod+Shift+Z')}
        icon={<Redo2 size={15} />}
        disabled={!redoable}
        onClick={planner.overlay.redo}
      />
      <Button
        shortcut={keys('Mod+S')}
        disabled={!unsaved || saving}
        aria-busy={saving}
        onClick={() => void planner.overlay.save()}
      >
        Save overlay
      </Button>
      <Button
        variant="primary"
        shortcut={keys('Mod+E')}
        disabled={!open}
        onClick={() => planner.view.openDialog({ kind: 'export' })}
      >
        Export specs
      </Button>
    </header>
  )
}

/** Which scenario is planned with, and the way to another. */
function ScenarioSwitch(): ReactNode {
  const open = usePlannerState((state) => state.lab.status === 'open')
  const current = usePlannerState(selectCurrentScenario)
  const changed = usePlannerState(selectScenarioChanged)
  const menu = useLazyModule(scenarioMenu)
  const text = current === null ? 'No scenario' : changed ? `${current.name}, changed` : current.name
  const button = (
    <Button
      className={styles.lab}
      disabled={!open}
      aria-label={`Scenario: ${text}`}
      title={`Scenario: ${text}`}
    >
      <span className={styles.scenarioName}>{text}</span>
      <ChevronDown size={14} aria-hidden="true" />
    </Button>
  )
  return menu === null ? button : <menu.ScenarioMenu trigger={button} />
}

function LabName(): ReactNode {
  const name = usePlannerState((state) =>
    state.lab.status === 'open' ? state.lab.snapshot.lab.name : 'No lab',
  )
  const sample = usePlannerState(
    (state) => state.lab.status === 'open' && state.lab.snapshot.origin === 'sample',
  )
  return (
    <span className={styles.labName} title={name}>
      {sample ? 'Sample lab' : name}
    </span>
  )
}

/** Nodes by shards, some of them moving: the product in nine squares. */
function Logo(): ReactNode {
  const cells = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => ({ row, column })))
  return (
    <svg className={styles.logo} viewBox="0 0 16 16" aria-hidden="true">
      {cells.map(({ row, column }) => (
        <rect
          key={`${row}${column}`}
          x={column * 6}
          y={row * 6}
          width="4"
          height="4"
          rx="1"
          fill={row + column === 3 ? 'var(--moves)' : 'currentColor'}
        />
      ))}
    </svg>
  )
}
