import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { adviceLines, changeText } from '../../shared/advice/advice-words.ts'
import { createAdviser, type Advice } from '../../shared/advice/advise.ts'
import { rankNodesTask } from '../../shared/advice/rank-nodes.ts'
import type { PlanInputs, RolePlan } from '../../shared/plan/types.ts'
import { runInSlices } from '../store/run-in-slices.ts'
import { selectInputs, selectPlan } from '../store/selectors.ts'
import { usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import styles from './explain.module.css'
import { ShortestWay } from './shortest-way.tsx'
import { useTryChange, type TryChanges } from '../store/use-try-change.ts'

/** Nodes shown at first; each takes a few plans to prove. */
const FIRST_NODES = 6
/** Changes shown for a node; the cheapest are found first. */
const MOST_CHANGES = 3

/** For each node the role does not run on: the smallest single changes that would let it, or why none would. */
export function WhatWouldChange({ role }: { readonly role: RolePlan }): ReactNode {
  const inputs = usePlannerState(selectInputs)
  const [shown, setShown] = useState({ role: role.role, nodes: FIRST_NODES })
  const limit = shown.role === role.role ? shown.nodes : FIRST_NODES
  if (inputs === null || role.nodes.length === 0) return null
  const more = role.nodes.length - limit
  return (
    <section className={styles.section} aria-label="What would change this">
      <h3 className={styles.heading}>What would change this</h3>
      <ShortestWay role={role} inputs={inputs} />
      <AdviceList role={role} inputs={inputs} limit={limit} />
      {more <= 0 ? null : (
        <div className={styles.more}>
          <Button variant="link" onClick={() => setShown({ role: role.role, nodes: limit + 20 })}>
            Ask about {Math.min(more, 20)} more nodes
          </Button>
        </div>
      )}
    </section>
  )
}

interface AdviceListProps {
  readonly role: RolePlan
  readonly inputs: PlanInputs
  readonly limit: number
}

function AdviceList({ role, inputs, limit }: AdviceListProps): ReactNode {
  const { order, advice } = useAdvice(role, inputs, limit)
  const tryChange = useTryChange(inputs)
  return (
    <dl className={styles.advice}>
      {order.slice(0, limit).map((node, i) => {
        const own = advice[i]
        const verdict = role.nodes[node]
        return verdict === undefined ? null : (
          <div key={verdict.nodeId} className={styles.adviceRow}>
            <dt className={styles.nodeName} title={verdict.nodeId}>
              {verdict.nodeId}
            </dt>
            <dd>
              {own === undefined ? (
                <Waiting />
              ) : (
                <NodeAdvice advice={own} role={role} tryChange={tryChange} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Holds the line's height while plans are made. */
function Waiting(): ReactNode {
  return <span className={styles.waiting}>…</span>
}

interface NodeAdviceProps {
  readonly advice: Advice
  readonly role: RolePlan
  readonly tryChange: TryChanges
}

function NodeAdvice({ advice, role, tryChange }: NodeAdviceProps): ReactNode {
  if (advice.kind !== 'changes') {
    return (
      <ul>
        {adviceLines(advice, role).map((line) => (
          <li key={line} className={advice.kind === 'placeable' ? styles.yes : styles.never}>
            {line}
          </li>
        ))}
      </ul>
    )
  }
  return (
    <ul>
      {advice.changes.map((change) => {
        const text = changeText(change)
        const run = tryChange([change])
        return (
          <li key={text}>
            {text}{' '}
            {run === null ? null : (
              <Button variant="link" aria-label={`Try: ${text}`} onClick={run}>
                Try
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** What is known of the question that the effects work on. */
interface Answer {
  /** The question it belongs to; null before the first. */
  readonly of: unknown
  /** Numbers of nodes, the most useful to look at first. */
  readonly order: readonly number[]
  /** Of the first nodes of `order`. */
  readonly advice: readonly Advice[]
}

const NO_ANSWER: Answer = { of: null, order: [], advice: [] }

/**
 * Advice for the `limit` nodes that are the most useful to look at, filled in one node at a time: ranking asks every node,
 * and proving a change takes a plan of the whole lab, and the window must not wait for either. Nothing is asked about a
 * plan that is about to go; until it is answered, the nodes stay in the order of the question before.
 */
function useAdvice(role: RolePlan, inputs: PlanInputs, limit: number): Answer {
  const plan = usePlannerState(selectPlan)
  const isGoing = usePlannerState((state) => state.behind !== null)
  const memo = usePlannerState((state) => state.memo)
  const number = plan?.roles.indexOf(role) ?? -1
  const question = useMemo(
    () => (plan === null || number < 0 ? null : { plan, number, adviser: createAdviser(inputs, memo, plan) }),
    [inputs, plan, memo, number],
  )
  const [found, setFound] = useState<Answer>(NO_ANSWER)
  const isAnswered = found.of === question
  const known = isAnswered ? found.advice : NONE
  const isDone = isAnswered && known.length >= Math.min(limit, found.order.length)
  useEffect(() => {
    if (question === null || isGoing || isDone) return
    let isGivenUp = false
    const answer = async (): Promise<void> => {
      const { plan, number, adviser } = question
      if (!isAnswered) {
        const ranked = await runInSlices(rankNodesTask(inputs, plan, number), () => isGivenUp)
        if (ranked === null || isGivenUp) return
        setFound({ of: question, order: ranked.value.map(({ node }) => node), advice: [] })
        return
      }
      const node = found.order[known.length]
      if (node === undefined) return
      const advice = await runInSlices(adviser.adviseTask(number, node, MOST_CHANGES), () => isGivenUp)
      if (advice !== null && !isGivenUp) setFound({ ...found, advice: [...known, advice.value] })
    }
    const timer = window.setTimeout(() => void answer(), WAIT_MS)
    return () => {
      isGivenUp = true
      window.clearTimeout(timer)
    }
  }, [question, inputs, isGoing, isAnswered, isDone, found, known])
  const order = found.order.length === role.nodes.length ? found.order : Array.from(role.nodes.keys())
  return { of: question, order, advice: known }
}

const NONE: readonly Advice[] = []
/** Long enough that typing and clicking through roles ask nothing in vain. */
const WAIT_MS = 120
