import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { NodeSearch, ToolRow } from './tool-row.tsx'

/** Which nodes a view shows. */
interface NodeChoice<Filter extends string> {
  readonly filter: Filter
  readonly text: string
}

interface NodeToolsProps<Filter extends string> {
  readonly legend: ReactNode
  readonly filters: readonly { readonly id: Filter; readonly label: string; readonly count: number }[]
  readonly choice: NodeChoice<Filter>
  readonly onChoice: (choice: NodeChoice<Filter>) => void
  /** Further tools, after them. */
  readonly children?: ReactNode
}

/** The tools above a grid whose rows are nodes: some of them, and those of a name. */
export function NodeTools<Filter extends string>(props: NodeToolsProps<Filter>): ReactNode {
  const { legend, filters, choice, onChoice, children } = props
  const { filter, text } = choice
  return (
    <ToolRow legend={legend}>
      <Segmented
        label="Nodes shown"
        value={filter}
        onChange={(chosen) => onChoice({ filter: chosen, text })}
        options={filters}
      />
      <NodeSearch value={text} onChange={(typed) => onChoice({ filter, text: typed })} />
      {children}
    </ToolRow>
  )
}

/** In the grid's place when the choice leaves no node. */
export function NoNodeMatches({ onShowAll }: { readonly onShowAll: () => void }): ReactNode {
  return <EmptyState title="No node matches" actions={<Button onClick={onShowAll}>Show all nodes</Button>} />
}
