import { useMemo, type ReactNode } from 'react'
import { Group, type Layout } from 'react-resizable-panels'
import { usePlanner } from '../store/use-planner.ts'

export { Panel, Separator } from 'react-resizable-panels'

interface PanelGroupProps {
  /** Under which the sizes are remembered. */
  readonly name: string
  readonly orientation: 'horizontal' | 'vertical'
  readonly children: ReactNode
}

/** Panes side by side or above each other whose sizes are remembered between runs. */
export function PanelGroup({ name, orientation, children }: PanelGroupProps): ReactNode {
  const planner = usePlanner()
  // Read once: while the window is open the group itself knows its sizes best.
  const remembered = useMemo(
    () => parseLayout(planner.store.getState().settings.layout[`panes-${name}`]),
    [planner, name],
  )
  return (
    <Group
      id={name}
      orientation={orientation}
      {...(remembered ? { defaultLayout: remembered } : {})}
      onLayoutChanged={(layout, meta) => {
        if (meta.isUserInteraction) planner.view.rememberLayout(`panes-${name}`, JSON.stringify(layout))
      }}
    >
      {children}
    </Group>
  )
}

/** Sizes as they were remembered; null when there are none or they are no longer of the form. */
function parseLayout(text: string | undefined): Layout | null {
  if (text === undefined) return null
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const entries = Object.entries(value)
    return entries.every((entry): entry is [string, number] => typeof entry[1] === 'number')
      ? Object.fromEntries(entries)
      : null
  } catch {
    return null
  }
}
