import { useMemo, useState, type ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import { specMemoryBytes } from '../../shared/inference-spec.ts'
import type { NodeVerdict, RolePlan } from '../../shared/plan/types.ts'
import { eligibleBecause, failureText, forcedWord } from '../../shared/report/words.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { constraintGroups } from './constraint-groups.ts'
import styles from './explain.module.css'
import { ShowMore } from './show-more.tsx'

/** Beyond this many nodes the rest wait for a click. */
const SHOWN_NODES = 12

/**
 * Each node's constraints for the role, with both operands of every one that fails. In a large lab, nodes of which the
 * same is said are one row, and of several failures the first is shown, until either is unfolded.
 */
export function Constraints({ role }: { readonly role: RolePlan }): ReactNode {
  const { view } = usePlanner()
  const lit = usePlannerState((state) => state.view.node)
  const [all, setAll] = useState(false)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(NONE)
  const isLong = role.nodes.length > SHOWN_NODES
  const groups = useMemo(() => constraintGroups(role, isLong ? unfolded : null), [role, isLong, unfolded])
  if (role.nodes.length === 0) return null
  const shown = all ? groups : groups.slice(0, SHOWN_NODES)
  const hidden = groups.slice(shown.length).reduce((sum, { verdicts }) => sum + verdicts.length, 0)
  return (
    <section className={styles.section} aria-label="Constraints">
      <h3 className={styles.heading}>Constraints</h3>
      <table className={styles.constraints} onMouseLeave={() => view.lightNode(null)}>
        <thead className="sr-only">
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Why</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, first, verdicts, isFolded }) => {
            const unfold = (): void => setUnfolded(new Set([...unfolded, key]))
            const others = verdicts.length - 1
            return (
              <tr
                key={first.nodeId}
                data-lit={verdicts.some(({ nodeId }) => nodeId === lit)}
                onMouseEnter={() => view.lightNode(first.nodeId)}
              >
                <th scope="row">
                  <div className={styles.nodeName} title={first.nodeId}>
                    {first.nodeId}
                  </div>
                  {others === 0 ? null : (
                    <Button variant="link" onClick={unfold}>
                      and {others} more
                    </Button>
                  )}
                </th>
                <td className={styles.detailCell}>
                  {first.failures.length === 0 && first.memory !== null && others > 0 ? (
                    `needs ${formatBytes(specMemoryBytes(role.imported.spec))}, which each has free`
                  ) : (
                    <Details role={role} verdict={first} onUnfold={isFolded ? unfold : null} />
                  )}
                </td>
                <td className={first.eligible ? styles.yes : styles.no}>{resultOf(first)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <ShowMore hidden={hidden} what="nodes" onShow={() => setAll(true)} />
    </section>
  )
}

const NONE: ReadonlySet<string> = new Set()

function resultOf(verdict: NodeVerdict): string {
  return forcedWord(verdict) ?? (verdict.eligible ? 'eligible' : `${verdict.failures.length} failed`)
}

interface DetailsProps {
  readonly role: RolePlan
  readonly verdict: NodeVerdict
  /** Shows every failure; null where all are shown. */
  readonly onUnfold: (() => void) | null
}

function Details({ role, verdict, onUnfold }: DetailsProps): ReactNode {
  const { failures } = verdict
  const [first] = failures
  if (first === undefined) return eligibleBecause(role, verdict)
  if (onUnfold !== null && failures.length > 1) {
    return (
      <>
        {failureText(first, role.role)}{' '}
        <Button variant="link" aria-label={`Show all that ${verdict.nodeId} fails`} onClick={onUnfold}>
          +{failures.length - 1}
        </Button>
      </>
    )
  }
  return (
    <ul>
      {failures.map((failure) => (
        <li key={failure.constraint}>{failureText(failure, role.role)}</li>
      ))}
    </ul>
  )
}
