import { useDeferredValue, useEffect, useMemo, useState, type ReactNode } from 'react'
import { adviceLines, changeText } from '../../shared/advice/advice-words.ts'
import { createAdviser, type Advice } from '../../shared/advice/advise.ts'
import { rankNodes, type RankedNode } from '../../shared/advice/rank-nodes.ts'
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
  const plan = usePlannerState(selectPlan)
  const number = plan?.roles.indexOf(role) ?? -1
  // Ranking asks every node: what was typed is painted first, with the order of the plan before.
  const ranked = useDeferredValue(useMemo(() => ({ inputs, plan }), [inputs, plan]))
  const order = useMemo(
    () => (ranked.plan === null || number < 0 ? [] : rankNodes(ranked.inputs, ranked.plan, number)),
    [ranked, number],
  )
  const advice = useAdvice(role, inputs, limit, order)
  const tryChange = useTryChange(inputs)
  return (
    <dl className={styles.advice}>
      {order.slice(0, limit).map(({ node }, i) => {
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

/**
 * Advice for the first `limit` nodes of `order`, filled in one node at a time: proving a change takes a plan of the whole
 * lab, and the window must not wait for it. Nothing is asked about a plan that is about to go.
 */
function useAdvice(
  role: RolePlan,
  inputs: PlanInputs,
  limit: number,
  order: readonly RankedNode[],
): readonly Advice[] {
  const plan = usePlannerState(selectPlan)
  const isGoing = usePlannerState((state) => state.behind !== null)
  const memo = usePlannerState((state) => state.memo)
  const adviser = useMemo(
    () => (plan === null ? null : createAdviser(inputs, memo, plan)),
    [inputs, plan, memo],
  )
  const number = plan?.roles.indexOf(role) ?? -1
  const [found, setFound] = useState<{
    readonly of: unknown
    readonly order: unknown
    readonly advice: readonly Advice[]
  }>({
    of: null,
    order: null,
    advice: [],
  })
  // The order follows a moment after the plan: advice belongs to both.
  const known = found.of === adviser && found.order === order ? found.advice : NONE
  const next = known.length
  const wanted = Math.min(limit, order.length)
  const asked = order[next]?.node
  useEffect(() => {
    if (adviser === null || isGoing || number < 0 || next >= wanted || asked === undefined) return
    let isGivenUp = false
    const ask = async (): Promise<void> => {
      const advice = await runInSlices(adviser.adviseTask(number, asked, MOST_CHANGES), () => isGivenUp)
      if (advice !== null && !isGivenUp) setFound({ of: adviser, order, advice: [...known, advice.value] })
    }
    const timer = window.setTimeout(() => void ask(), WAIT_MS)
    return () => {
      isGivenUp = true
      window.clearTimeout(timer)
    }
  }, [adviser, isGoing, number, order, next, asked, wanted, known])
  return known
}

const NONE: readonly Advice[] = []
/** Long enough that typing and clicking through roles ask nothing in vain. */
const WAIT_MS = 120
