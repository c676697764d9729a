import { useMemo, useState, type ReactNode } from 'react'
import { alignNotes, tellingPairs } from '../../shared/compare/align-notes.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import { outcomeHeadline } from '../../shared/report/outcome-words.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import styles from './explain.module.css'
import { ShowMore } from './show-more.tsx'

/** Beyond this many rows those that tell least wait for a click: a lab of thousands of nodes has one each. */
const SHOWN_PAIRS = 80

interface ComparedNotesProps {
  readonly before: RolePlan
  readonly after: RolePlan
}

/** Two explanations of one role, note beside note, what differs marked by sign and colour. */
export function ComparedNotes({ before, after }: ComparedNotesProps): ReactNode {
  const { view } = usePlanner()
  const lit = usePlannerState((state) => state.view.node)
  const [left, right] = [before.locality, after.locality]
  const pairs = useMemo(
    () => alignNotes(left?.considerations ?? [], right?.considerations ?? []),
    [left, right],
  )
  const [all, setAll] = useState(false)
  const shown = useMemo(() => tellingPairs(pairs, all ? Infinity : SHOWN_PAIRS), [pairs, all])
  const hidden = pairs.length - shown.length
  const headlines = [outcomeHeadline(before), outcomeHeadline(after)]
  return (
    <section className={styles.section} aria-label="Compared with the baseline">
      <h3 className={styles.heading}>Compared with the baseline</h3>
      <table className={styles.compared} onMouseLeave={() => view.lightNode(null)}>
        <thead>
          <tr>
            <th scope="col">Baseline</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          <tr className={styles.comparedHeads} data-differs={headlines[0] !== headlines[1]}>
            <td>{headlines[0]}</td>
            <td>{headlines[1]}</td>
          </tr>
          {shown.map((pair, i) => (
            <tr
              key={i}
              data-differs={pair.differs}
              data-lit={pair.node !== null && pair.node === lit}
              onMouseEnter={() => view.lightNode(pair.node)}
            >
              <td>{pair.before ?? <Absent />}</td>
              <td>
                {pair.differs ? <span className="sr-only">differs: </span> : null}
                {pair.after ?? <Absent />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ShowMore hidden={hidden} what="notes" onShow={() => setAll(true)} />
    </section>
  )
}

function Absent(): ReactNode {
  return <span className={styles.absent}>–</span>
}
