import { Tabs } from 'radix-ui'
import type { ReactNode } from 'react'
import { usePlanner, usePlannerState } from './store/use-planner.ts'
import type { PaneName } from './store/view-state.ts'
import styles from './app.module.css'

/** The tabs' names, which ids are made from: without spaces. */
const LABELS: Readonly<Record<PaneName, string>> = {
  Roster: 'Roster',
  'Shard matrix': 'Matrix',
  Explanation: 'Explanation',
  Overlay: 'Overlay',
  'Drag board': 'Board',
}

interface PaneTabsProps {
  readonly panes: readonly PaneName[]
  readonly paneOf: (name: PaneName) => ReactNode
}

/** Panes behind each other, in a window too small for them beside each other. All stay as they are while one is shown. */
export function PaneTabs({ panes, paneOf }: PaneTabsProps): ReactNode {
  const { view } = usePlanner()
  const wanted = usePlannerState((state) => state.view.pane)
  const shown = panes.includes(wanted) ? wanted : panes[0]
  return (
    <Tabs.Root
      className={styles.tabs}
      value={shown === undefined ? '' : LABELS[shown]}
      onValueChange={(value) => {
        const pane = panes.find((name) => LABELS[name] === value)
        if (pane !== undefined) view.showPane(pane)
      }}
    >
      <Tabs.List className={styles.tabList} aria-label="Panes">
        {panes.map((name) => (
          <Tabs.Trigger key={name} value={LABELS[name]} className={styles.tab}>
            {LABELS[name]}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <div className={styles.tabPanels}>
        {panes.map((name) => (
          // Out of sight but not gone: an editor without a size would have to find its place again.
          <Tabs.Content key={name} value={LABELS[name]} className={styles.tabPanel} tabIndex={-1} forceMount>
            {paneOf(name)}
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  )
}
