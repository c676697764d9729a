import { sumBytes } from '../bytes.ts'
import type { Option, AssignmentProblem } from './assignment-problem.ts'

/** For each role of the problem the option it takes (a number into its options), or null when it runs nowhere. */
export type Assignment = readonly (number | null)[]

/** What an assignment is worth. Compared member by member, in this order. */
export interface Score {
  readonly interactivePlaced: number
  readonly placed: number
  /** Bytes that move, each model once a node. */
  readonly bytes: bigint
  /** Sticky roles that stay at home. */
  readonly stickyAtHome: number
  /** Pairs of roles on one node and one port. */
  readonly portClashes: number
}

/** The option a role takes; null when it runs nowhere. */
export function optionOf(problem: AssignmentProblem, assignment: Assignment, role: number): Option | null {
  const chosen = assignment[role] ?? null
  return chosen === null ? null : (problem.roles[role]?.options[chosen] ?? null)
}

/** Roles by the node they are on, as numbers into the problem's roles. */
export function rolesByNode(problem: AssignmentProblem, assignment: Assignment): number[][] {
  const byNode: number[][] = problem.nodes.map(() => [])
  problem.roles.forEach((_, role) => {
    const option = optionOf(problem, assignment, role)
    if (option !== null) byNode[option.node]?.push(role)
  })
  return byNode
}

/** What the roles on one node bring there: bytes by model. */
function incoming(
  problem: AssignmentProblem,
  assignment: Assignment,
  roles: readonly number[],
): Map<string, bigint> {
  const bytes = new Map<string, bigint>()
  for (const role of roles) {
    const moved = optionOf(problem, assignment, role)?.bytes ?? 0n
    if (moved > 0n) bytes.set(problem.roles[role]?.model ?? '', moved)
  }
  return bytes
}

export function scoreOf(problem: AssignmentProblem, assignment: Assignment): Score {
  const byNode = rolesByNode(problem, assignment)
  const placed = problem.roles.filter((_, role) => optionOf(problem, assignment, role) !== null)
  const atHome = problem.roles.filter(
    ({ sticky, home }, role) => sticky && home !== null && optionOf(problem, assignment, role)?.node === home,
  )
  return {
    interactivePlaced: placed.filter(({ interactive }) => interactive).length,
    placed: placed.length,
    bytes: sumBytes(byNode.map((roles) => sumBytes(incoming(problem, assignment, roles).values()))),
    stickyAtHome: atHome.length,
    portClashes: byNode.reduce((count, roles) => count + clashes(problem, roles), 0),
  }
}

function clashes(problem: AssignmentProblem, roles: readonly number[]): number {
  const ports = roles.flatMap((role) => problem.roles[role]?.port ?? [])
  return ports.reduce(
    (count, port, i) => count + ports.slice(i + 1).filter((other) => other === port).length,
    0,
  )
}

/** Negative when `a` is the better score. */
export function compareScores(a: Score, b: Score): number {
  if (a.interactivePlaced !== b.interactivePlaced) return b.interactivePlaced - a.interactivePlaced
  if (a.placed !== b.placed) return b.placed - a.placed
  if (a.bytes !== b.bytes) return a.bytes < b.bytes ? -1 : 1
  if (a.stickyAtHome !== b.stickyAtHome) return b.stickyAtHome - a.stickyAtHome
  return a.portClashes - b.portClashes
}

/** A node that an assignment asks too much of: roles there that cannot all be there, or models that cannot all come. */
export type Violation =
  | { readonly kind: 'memory' | 'apart'; readonly node: number; readonly roles: readonly number[] }
  | { readonly kind: 'room'; readonly node: number; readonly models: readonly string[] }

/** Everything an assignment is in breach of, exactly: solvers reckon in floating point, ledgers do not. */
export function violations(problem: AssignmentProblem, assignment: Assignment): Violation[] {
  return rolesByNode(problem, assignment).flatMap((roles, node): Violation[] => {
    const { budget = null, room = null } = problem.nodes[node] ?? {}
    const memory = sumBytes(roles.map((role) => problem.roles[role]?.memoryBytes ?? 0n))
    const coming = incoming(problem, assignment, roles)
    const isFull = coming.size > 0 && (room === null || sumBytes(coming.values()) > room)
    const apart = problem.apart.find(([a, b]) => roles.includes(a) && roles.includes(b))
    return [
      ...(budget !== null && memory > budget.bytes ? [{ kind: 'memory', node, roles } as const] : []),
      ...(isFull ? [{ kind: 'room', node, models: [...coming.keys()] } as const] : []),
      ...(apart === undefined ? [] : [{ kind: 'apart', node, roles: apart } as const]),
    ]
  })
}

/**
 * What a person would do: interactive roles first, then in roster order, each takes the first of its options that the
 * ones before it leave room for.
 */
export function greedyAssignment(problem: AssignmentProblem): Assignment {
  const order = problem.roles.map((_, role) => role)
  const isInteractive = (role: number): boolean => problem.roles[role]?.interactive ?? false
  const assignment: (number | null)[] = problem.roles.map(() => null)
  for (const role of [...order.filter(isInteractive), ...order.filter((each) => !isInteractive(each))]) {
    takeFirst(problem, assignment, role, problem.roles[role]?.options.map((_, i) => i) ?? [])
  }
  return assignment
}

/** The placements of the plan that the problem was made from, as far as they hold to it; the rest is filled up greedily. */
export function assignmentOfPlan(
  problem: AssignmentProblem,
  nodeOfRole: (role: number) => string | null,
): Assignment {
  const assignment: (number | null)[] = problem.roles.map(() => null)
  problem.roles.forEach(({ role, options }, i) => {
    const nodeId = nodeOfRole(role)
    const chosen = options.findIndex(({ node }) => problem.nodes[node]?.nodeId === nodeId)
    if (chosen >= 0) takeFirst(problem, assignment, i, [chosen])
  })
  problem.roles.forEach(({ options }, i) => {
    if (assignment[i] === null)
      takeFirst(
        problem,
        assignment,
        i,
        options.map((_, option) => option),
      )
  })
  return assignment
}

function takeFirst(
  problem: AssignmentProblem,
  assignment: (number | null)[],
  role: number,
  options: readonly number[],
): void {
  for (const option of options) {
    assignment[role] = option
    const node = problem.roles[role]?.options[option]?.node
    if (!violations(problem, assignment).some((violation) => violation.node === node)) return
  }
  assignment[role] = null
}
