import { EllipsisVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { selectRole } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import styles from './matrix.module.css'

interface NodeMenuProps {
  readonly nodeId: string
  readonly onOpenChange: (open: boolean) => void
}

/** What an operator may assume of a node: in or out whatever its constraints say, until taken back. */
export function NodeMenu({ nodeId, onOpenChange }: NodeMenuProps): ReactNode {
  const { scenario, view } = usePlanner()
  const forced = usePlannerState((state) => state.scenario.forcedNodes.get(nodeId) ?? null)
  const away = usePlannerState((state) => state.scenario.awayNodes.has(nodeId))
  const role = usePlannerState(selectRole)
  const pinnedHere = usePlannerState(
    (state) => role !== null && state.scenario.pinned.get(role.role) === nodeId,
  )
  return (
    <Menu
      onOpenChange={onOpenChange}
      trigger={
        <IconButton
          label={`Force ${nodeId} in or out`}
          icon={<EllipsisVertical size={14} />}
          variant="quiet"
          className={styles.menuButton}
          tabIndex={-1}
        />
      }
      entries={[
        { kind: 'heading', label: `${nodeId}, for every role` },
        {
          kind: 'item',
          label: 'Treat as eligible',
          hint: 'treated as eligible despite failures',
          checked: forced === 'in',
          onSelect: () => scenario.forceNode(nodeId, 'in'),
        },
        {
          kind: 'item',
          label: 'Don’t run here',
          hint: 'never eligible',
          checked: forced === 'out',
          onSelect: () => scenario.forceNode(nodeId, 'out'),
        },
        {
          kind: 'item',
          label: 'Treat as offline',
          hint: 'nothing runs or is read there',
          checked: away,
          onSelect: () => scenario.setAway(nodeId, !away),
        },
        {
          kind: 'item',
          label: role === null ? 'Run the selected role only here' : `Run ${role.role} only here`,
          hint: 'in the scenario',
          checked: pinnedHere,
          disabled: role === null,
          onSelect: () => {
            if (role) scenario.pinRole(role.role, pinnedHere ? null : nodeId)
          },
        },
        {
          kind: 'item',
          label: 'Assume memory or space…',
          onSelect: () => view.openDialog({ kind: 'assume', node: nodeId }),
        },
        { kind: 'separator' },
        {
          kind: 'item',
          label: 'Back to constraints',
          disabled: forced === null,
          onSelect: () => scenario.forceNode(nodeId, null),
        },
      ]}
    />
  )
}
