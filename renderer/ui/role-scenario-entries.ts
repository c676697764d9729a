import type { NodeVerdict, RolePlan } from '../../shared/plan/types.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import type { MenuEntry } from './menu.tsx'

/** Nodes a role can be pinned to from here; the matrix's rows offer the others. */
const MOST_NODES = 40

/** Whether something rules the node out beside the pin, which choosing another node replaces. */
function isRuledOut({ eligible, failures }: NodeVerdict): boolean {
  return !eligible && failures.some((failure) => failure.constraint !== 'override' || failure.by !== 'pin')
}

/** What may be assumed of one role, as a menu: that it does not run, another context, or one node only. */
export function useRoleScenarioEntries(role: RolePlan): readonly MenuEntry[] {
  const { scenario, view } = usePlanner()
  const off = usePlannerState((state) => state.scenario.offRoles.has(role.role))
  const pinned = usePlannerState((state) => state.scenario.pinned.get(role.role) ?? null)
  return [
    { kind: 'heading', label: `What if, for ${role.role}` },
    {
      kind: 'item',
      label: 'Switch it off',
      hint: 'it holds no memory',
      checked: off,
      onSelect: () => scenario.switchRole(role.role, off),
    },
    {
      kind: 'item',
      label: 'Context and memory…',
      onSelect: () => view.openDialog({ kind: 'role_memory', role: role.role }),
    },
    { kind: 'separator' },
    { kind: 'heading', label: 'Run it on one node only' },
    ...role.nodes.slice(0, MOST_NODES).map((verdict): MenuEntry => ({
      kind: 'item',
      label: verdict.nodeId,
      hint: isRuledOut(verdict) ? 'not eligible' : undefined,
      checked: pinned === verdict.nodeId,
      onSelect: () => scenario.pinRole(role.role, pinned === verdict.nodeId ? null : verdict.nodeId),
    })),
  ]
}
