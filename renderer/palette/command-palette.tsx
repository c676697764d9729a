import { Command as Cmdk } from 'cmdk'
import { Dialog as Primitive } from 'radix-ui'
import { useMemo, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { outcomeLine } from '../../shared/report/outcome-words.ts'
import { plannerCommands } from '../store/commands.ts'
import { selectPlan } from '../store/selectors.ts'
import { showKeys } from '../store/shortcuts.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { OutcomeMark } from '../ui/outcome-mark.tsx'
import { useReturnedFocus } from '../ui/use-returned-focus.ts'
import {
  modelEntries,
  nodeEntries,
  overlayEntries,
  settingEntries,
  type PaletteEntry,
} from './palette-entries.ts'
import styles from './palette.module.css'

/** Above 0 when every word of `search` stands in `text`: the earlier the first one does, the more. */
function rank(text: string, search: string): number {
  const words = search.toLowerCase().trim().split(/\s+/)
  const within = text.toLowerCase()
  return words.every((word) => within.includes(word)) ? 1 / (1 + within.indexOf(words[0] ?? '')) : 0
}

/** Type to find a role, a node or a model, or to run a command. */
export function CommandPalette(): ReactNode {
  const planner = usePlanner()
  const plan = usePlannerState(selectPlan)
  const isMac = usePlannerState((state) => state.host?.platform === 'mac')
  const commands = useMemo(() => {
    const state = planner.store.getState()
    return plannerCommands(planner).filter(
      (command) => command.id !== 'command-palette' && command.enabled(state),
    )
  }, [planner])
  const [search, setSearch] = useState('')
  const isSearching = search.trim() !== ''
  // Only for a search: what the overlay can say of pairs alone is a line for each other role.
  const groups = useMemo(
    () =>
      isSearching
        ? [
            { heading: 'Selected role', entries: overlayEntries(planner, plan) },
            { heading: 'Nodes', entries: nodeEntries(planner) },
            { heading: 'Models', entries: modelEntries(planner, plan) },
            { heading: 'Settings', entries: settingEntries(planner) },
          ]
        : [],
    [planner, plan, isSearching],
  )
  const returnFocus = useReturnedFocus()
  const close = planner.view.closeDialog
  const pick = (run: () => void): void => {
    // Gone before the command runs: while it is there it keeps the focus to itself.
    flushSync(close)
    run()
  }
  return (
    <Primitive.Root open onOpenChange={(open) => (open ? undefined : close())}>
      <Primitive.Portal>
        <Primitive.Overlay className={styles.scrim} />
        <Primitive.Content className={styles.palette} onCloseAutoFocus={returnFocus}>
          <Primitive.Title className="sr-only">Search or run</Primitive.Title>
          <Primitive.Description className="sr-only">
            Type to find a role, a node, a model, a setting or a command
          </Primitive.Description>
          <Cmdk label="Search or run" loop filter={rank}>
            <Cmdk.Input
              className={styles.input}
              placeholder="Find a role or run a command"
              value={search}
              onValueChange={setSearch}
            />
            <Cmdk.List className={styles.list} label="Results">
              <Cmdk.Empty className={styles.empty}>Nothing matches.</Cmdk.Empty>
              <Cmdk.Group heading="Commands" className={styles.group}>
                {commands.map((command) => (
                  <Cmdk.Item
                    key={command.id}
                    value={`${command.label} ${command.group}`}
                    className={styles.item}
                    onSelect={() => pick(command.run)}
                  >
                    <span className={styles.label}>{command.label}</span>
                    {command.keys === null ? null : <kbd>{showKeys(command.keys, isMac)}</kbd>}
                  </Cmdk.Item>
                ))}
              </Cmdk.Group>
              <Cmdk.Group heading="Roles" className={styles.group}>
                {plan?.roles.map((role) => (
                  <Cmdk.Item
                    key={role.role}
                    value={`${role.role} ${role.imported.entry.name} role`}
                    className={styles.item}
                    onSelect={() => pick(() => planner.view.selectRole(role.role))}
                  >
                    <OutcomeMark outcome={role.outcome} />
                    <span className={styles.label}>{role.role}</span>
                    <span className={styles.hint}>{outcomeLine(role)}</span>
                  </Cmdk.Item>
                ))}
              </Cmdk.Group>
              {groups.map(({ heading, entries }) => (
                <Entries key={heading} heading={heading} entries={entries} onPick={pick} />
              ))}
            </Cmdk.List>
          </Cmdk>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

interface EntriesProps {
  readonly heading: string
  readonly entries: readonly PaletteEntry[]
  readonly onPick: (run: () => void) => void
}

function Entries({ heading, entries, onPick }: EntriesProps): ReactNode {
  if (entries.length === 0) return null
  return (
    <Cmdk.Group heading={heading} className={styles.group}>
      {entries.map(({ label, hint, run }) => (
        <Cmdk.Item
          key={label}
          value={`${label} ${heading} ${hint}`}
          className={styles.item}
          onSelect={() => onPick(run)}
        >
          <span className={styles.label}>{label}</span>
          <span className={styles.hint}>{hint}</span>
        </Cmdk.Item>
      ))}
    </Cmdk.Group>
  )
}
