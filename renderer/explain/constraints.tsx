import { useState, type ReactNode } from 'react'
import type { NodeVerdict, RolePlan } from '../../shared/plan/types.ts'
import { eligibleBecause, failureText, forcedWord } from '../../shared/report/words.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import styles from './explain.module.css'
import { ShowMore } from './show-more.tsx'

/** Beyond this many nodes the rest wait for a click. */
const SHOWN_NODES = 12

/** Each node's constraints for the role, with both operands of every one that fails. */
export function Constraints({ role }: { readonly role: RolePlan }): ReactNode {
  const { view } = usePlanner()
  const lit = usePlannerState((state) => state.view.node)
  const [all, setAll] = useState(false)
  if (role.nodes.length === 0) return null
  const sorted = failedFirst(role.nodes)
  const shown = all ? sorted : sorted.slice(0, SHOWN_NODES)
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
          {shown.map((verdict) => (
            <tr
              key={verdict.nodeId}
              data-lit={verdict.nodeId === lit}
              onMouseEnter={() => view.lightNode(verdict.nodeId)}
            >
              <th scope="row">
                <div className={styles.nodeName} title={verdict.nodeId}>
                  {verdict.nodeId}
                </div>
              </th>
              <td className={styles.detailCell}>
                <Details role={role} verdict={verdict} />
              </td>
              <td className={verdict.eligible ? styles.yes : styles.no}>{resultOf(verdict)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ShowMore hidden={role.nodes.length - shown.length} what="nodes" onShow={() => setAll(true)} />
    </section>
  )
}

/** What failed is what one looks for. */
function failedFirst(nodes: readonly NodeVerdict[]): readonly NodeVerdict[] {
  const failed = nodes.filter(({ eligible }) => !eligible)
  return [...failed, ...nodes.filter(({ eligible }) => eligible)]
}

function resultOf(verdict: NodeVerdict): string {
  return forcedWord(verdict) ?? (verdict.eligible ? 'eligible' : `${verdict.failures.length} failed`)
}

function Details({ role, verdict }: { readonly role: RolePlan; readonly verdict: NodeVerdict }): ReactNode {
  if (verdict.failures.length === 0) return eligibleBecause(role, verdict)
  return (
    <ul>
      {verdict.failures.map((failure) => (
        <li key={failure.constraint}>{failureText(failure, role.role)}</li>
      ))}
    </ul>
  )
}
