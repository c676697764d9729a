import { ListFilter, Search, TriangleAlert } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import { moveCost, moveCostLines } from '../../shared/plan/move-cost.ts'
import { LATENCY_CLASSES, RUNTIMES } from '../../shared/inference-spec.ts'
import { ROSTER_SEARCH_ID } from '../store/commands.ts'
import { selectPlan, selectProblems } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { START_VIEW, type OutcomeFilter } from '../store/view-state.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { Pane } from '../ui/pane.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { ROLE_LIST_ID, RoleList } from './role-list.tsx'
import {
  activeFilters,
  rolesWithProblems,
  summarize,
  visibleRoles,
  type RosterSummary,
} from './roster-model.ts'
import { SkippedGroup } from './skipped-group.tsx'
import styles from './roster-list.module.css'

/** Every role of the roster with its outcome, and what was skipped and why. */
export function RosterPane(): ReactNode {
  const { view } = usePlanner()
  const plan = usePlannerState(selectPlan)
  const problems = usePlannerState(selectProblems)
  const search = usePlannerState((state) => state.view.search)
  const filter = usePlannerState((state) => state.view.filter)
  const troubled = useMemo(() => rolesWithProblems(problems), [problems])
  const summary = useMemo(() => (plan ? summarize(plan) : null), [plan])
  const roles = useMemo(
    () => (plan ? visibleRoles(plan, search, filter, troubled) : []),
    [plan, search, filter, troubled],
  )
  const nodes = usePlannerState((state) => (state.lab.status === 'open' ? state.lab.lab.nodes : null))
  const cost = useMemo(() => (plan && nodes ? moveCostLines(moveCost(plan, nodes)) : null), [plan, nodes])
  if (plan === null || summary === null) return <Pane name="Roster">{null}</Pane>

  const { counts } = summary
  const active = activeFilters(filter)
  const filtered = active > 0 || search !== '' || filter.outcome !== 'all'
  return (
    <Pane
      name="Roster"
      subtitle={
        <span title={cost?.join('\n')}>
          {counts.all} {counts.all === 1 ? 'role' : 'roles'} · {formatBytes(summary.bytesToMove)} to move
        </span>
      }
      bodyClassName={styles.body}
    >
      <div className={styles.tools}>
        <Field
          id={ROSTER_SEARCH_ID}
          className={styles.search}
          type="search"
          label="Filter roles"
          placeholder="Filter roles"
          icon={<Search size={14} aria-hidden="true" />}
          suffix="/"
          value={search}
          onChange={(event) => view.search(event.target.value)}
          onKeyDown={(event) => {
            const first = roles[0]
            if (event.key === 'Escape') view.search('')
            else if (event.key === 'ArrowDown') document.getElementById(ROLE_LIST_ID)?.focus()
            else if (event.key === 'Enter' && first !== undefined) view.selectRole(first.role)
            else return
            event.preventDefault()
          }}
        />
        <Menu
          align="end"
          trigger={
            <IconButton
              label={active === 0 ? 'More filters' : `More filters (${active} on)`}
              icon={active === 0 ? <ListFilter size={15} /> : <Badge tone="blue">{active}</Badge>}
            />
          }
          entries={filterEntries(filter, view.filter)}
        />
      </div>
      <div className={styles.decisions}>
        <Segmented
          label="Outcome"
          value={filter.outcome}
          onChange={(outcome) => view.filter({ outcome })}
          options={outcomeOptions(summary, filter.outcome)}
        />
      </div>
      {counts.cannot_run === 0 ? null : (
        <div className={styles.everyRole}>
          <Button variant="link" onClick={() => view.openDialog({ kind: 'every_role' })}>
            What would run every role?
          </Button>
        </div>
      )}
      {summary.displaced.count === 0 ? null : (
        <button
          type="button"
          className={styles.displaced}
          aria-pressed={filter.displaced}
          onClick={() => view.filter({ displaced: !filter.displaced })}
        >
          <TriangleAlert size={13} aria-hidden="true" />
          {displacedText(summary)}
        </button>
      )}
      {roles.length === 0 ? (
        <div className={styles.none}>
          {plan.roles.length === 0 ? 'The roster has no usable roles: see Skipped.' : 'No role matches.'}{' '}
          {filtered ? (
            <Button
              variant="link"
              onClick={() => {
                view.search('')
                view.filter(START_VIEW.filter)
              }}
            >
              Show all
            </Button>
          ) : null}
        </div>
      ) : (
        <RoleList roles={roles} troubled={troubled} />
      )}
      <SkippedGroup skipped={plan.skipped} />
    </Pane>
  )
}

/** Roles that the others keep from their own node, and what that costs. */
function displacedText({ displaced: { count, bytes } }: RosterSummary): string {
  const roles = count === 1 ? '1 role does not fit on its' : `${count} roles do not fit on their`
  const them = count === 1 ? 'it' : 'them'
  const move = bytes === 0n ? '' : `: moving ${them} adds ${formatBytes(bytes)}`
  return `${roles} own node${move}`
}

/** The outcomes as choices; those that are rare are offered where a role has them. */
function outcomeOptions({ counts }: RosterSummary, chosen: OutcomeFilter) {
  const options = [
    { id: 'all', label: 'All' },
    { id: 'in_place', label: 'In place' },
    { id: 'after_fetching', label: 'Fetch' },
    { id: 'elsewhere', label: 'Elsewhere' },
    { id: 'cannot_run', label: 'Can’t run' },
    { id: 'switched_off', label: 'Off' },
  ] as const
  const isRare = (id: OutcomeFilter): boolean => id === 'elsewhere' || id === 'switched_off'
  return options
    .filter(({ id }) => !isRare(id) || counts[id] > 0 || id === chosen)
    .map((option) => ({ ...option, count: counts[option.id] }))
}

function filterEntries(
  filter: typeof START_VIEW.filter,
  change: (patch: Partial<typeof START_VIEW.filter>) => void,
): readonly MenuEntry[] {
  return [
    { kind: 'heading', label: 'Runtime' },
    ...RUNTIMES.map((runtime): MenuEntry => ({
      kind: 'item',
      label: runtime,
      checked: filter.runtime === runtime,
      onSelect: () => change({ runtime: filter.runtime === runtime ? null : runtime }),
    })),
    { kind: 'heading', label: 'Latency class' },
    ...LATENCY_CLASSES.map((latency): MenuEntry => ({
      kind: 'item',
      label: latency,
      checked: filter.latency === latency,
      onSelect: () => change({ latency: filter.latency === latency ? null : latency }),
    })),
    { kind: 'separator' },
    {
      kind: 'item',
      label: 'With problems only',
      checked: filter.withProblems,
      onSelect: () => change({ withProblems: !filter.withProblems }),
    },
    {
      kind: 'item',
      label: 'Not on their own node only',
      checked: filter.displaced,
      onSelect: () => change({ displaced: !filter.displaced }),
    },
  ]
}
