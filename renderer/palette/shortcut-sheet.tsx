import type { ReactNode } from 'react'
import { plannerCommands } from '../store/commands.ts'
import { showKeys } from '../store/shortcuts.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Dialog } from '../ui/dialog.tsx'
import styles from './palette.module.css'

/** Keys that belong to a part of the window rather than to a command. */
const PLACES: readonly {
  readonly where: string
  readonly keys: readonly (readonly [keys: string, does: string])[]
}[] = [
  {
    where: 'Roster',
    keys: [
      ['↑ ↓', 'Move'],
      ['Enter', 'Select the role'],
      ['↓ in the filter', 'Go to the list'],
    ],
  },
  {
    where: 'Shard matrix',
    keys: [
      ['↑ ↓ ← →', 'Move between cells'],
      ['Home End', 'First and last shard'],
      ['Page Up, Page Down', 'A page of nodes'],
    ],
  },
  {
    where: 'Overlay',
    keys: [
      ['Tab', 'Indent'],
      ['Escape, Tab', 'Leave the editor'],
    ],
  },
  {
    where: 'Drag board',
    keys: [
      ['↑ ↓ ← →', 'Move, or carry what is picked up'],
      ['Home End', 'First and last of the column'],
      ['Space', 'Pick up, drop'],
      ['Escape', 'Put back'],
    ],
  },
]

/** Every shortcut of the window. */
export function ShortcutSheet(): ReactNode {
  const planner = usePlanner()
  const isMac = usePlannerState((state) => state.host?.platform === 'mac')
  const commands = plannerCommands(planner).filter((command) => command.keys !== null)
  const groups = [...new Set(commands.map((command) => command.group))]
  return (
    <Dialog
      title="Keyboard shortcuts"
      description="Every shortcut of the window"
      onClose={planner.view.closeDialog}
    >
      <div className={styles.sheet}>
        {groups.map((group) => (
          <section key={group} className={styles.sheetGroup}>
            <h3 className={styles.sheetHead}>{group}</h3>
            {commands
              .filter((command) => command.group === group)
              .map(({ id, label, keys }) => (
                <Row key={id} label={label} keys={keys === null ? '' : showKeys(keys, isMac)} />
              ))}
          </section>
        ))}
        {PLACES.map(({ where, keys }) => (
          <section key={where} className={styles.sheetGroup}>
            <h3 className={styles.sheetHead}>{where}</h3>
            {keys.map(([press, does]) => (
              <Row key={press} label={does} keys={press} />
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function Row({ label, keys }: { readonly label: string; readonly keys: string }): ReactNode {
  return (
    <div className={styles.sheetRow}>
      <span>{label}</span>
      <kbd>{keys}</kbd>
    </div>
  )
}
