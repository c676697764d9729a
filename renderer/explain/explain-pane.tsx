import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { runCommand } from '../store/commands.ts'
import { selectPlan, selectRole, selectStaleReasons } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Pane } from '../ui/pane.tsx'
import { ComparedNotes } from './compared-notes.tsx'
import { Constraints } from './constraints.tsx'
import { Notes } from './notes.tsx'
import { RoleScenarioMenu } from './role-scenario-menu.tsx'
import { RoleFacts } from './role-facts.tsx'
import { RoleProblems } from './role-problems.tsx'
import { Verdict } from './verdict.tsx'
import { WhatWouldChange } from './what-would-change.tsx'
import styles from './explain.module.css'

/** Why the selected role is decided as it is: the verdict, the notes, the constraints, the problems. */
export function ExplainPane(): ReactNode {
  const planner = usePlanner()
  const role = usePlannerState(selectRole)
  const hasPlan = usePlannerState((state) => selectPlan(state) !== null)
  const stale = usePlannerState(selectStaleReasons)
  const baseline = usePlannerState((state) => state.baseline)
  const pinned =
    role === null ? null : (baseline?.plan.roles.find((other) => other.role === role.role) ?? null)
  if (role === null) {
    return (
      <Pane name="Explanation">
        {hasPlan ? (
          <EmptyState title="No role to explain">
            The roster has no usable roles: see Skipped in the roster pane.
          </EmptyState>
        ) : null}
      </Pane>
    )
  }
  return (
    <Pane
      name="Explanation"
      subtitle={<span title={role.role}>{role.role}</span>}
      bodyClassName={styles.body}
      reading
      topFor={role.role}
      actions={
        <>
          <RoleScenarioMenu role={role} />
          <Button
            aria-pressed={baseline !== null}
            onClick={baseline === null ? planner.scenario.pinBaseline : planner.scenario.unpinBaseline}
            title={
              baseline === null
                ? 'Pin this plan as the baseline and compare changes with it'
                : 'Unpin the baseline and stop comparing'
            }
          >
            Compare
          </Button>
          <IconButton
            label="Copy as Markdown"
            icon={<Copy size={14} />}
            onClick={() => runCommand(planner, 'copy-explanation')}
          />
        </>
      }
    >
      {stale.length === 0 ? null : (
        <p className={styles.stale} role="note">
          Stale: {stale.join('; ')}.
        </p>
      )}
      <Verdict role={role} />
      <WhatWouldChange role={role} />
      {pinned ? <ComparedNotes before={pinned} after={role} /> : <Notes role={role} />}
      <Constraints role={role} />
      <RoleProblems role={role} />
      <RoleFacts role={role} />
    </Pane>
  )
}
