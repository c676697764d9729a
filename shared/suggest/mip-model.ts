import { optionOf, type Assignment, type Score, type Violation } from './assignment.ts'
import type { Mip, MipRow } from './mip.ts'
import type { AssignmentProblem } from './assignment-problem.ts'

/** What is sought, one after the other, each without giving up what was found before. */
export type Stage = 'placed' | 'bytes' | 'kept'

/** Megabytes (1e6): exact enough for a search, and of a size that floating point handles well. */
function megabytes(bytes: bigint): number {
  return Number(bytes) / 1e6
}

/**
 * The problem as columns of 0 and 1: one for each option of each role (it is taken), one for each model and node it may
 * have to be fetched to (it is fetched), one for each pair of roles that would clash on a port of a node.
 */
export class MipModel {
  readonly #problem: AssignmentProblem
  /** By role and option. */
  readonly #taken: readonly (readonly number[])[]
  readonly #fetched = new Map<string, { readonly column: number; readonly bytes: bigint }>()
  readonly #clashes: { readonly column: number; readonly first: number; readonly second: number }[] = []
  readonly #rows: MipRow[] = []
  #columns = 0

  constructor(problem: AssignmentProblem) {
    this.#problem = problem
    this.#taken = problem.roles.map(({ options }) => options.map(() => this.#columns++))
    this.#addRoles()
    this.#addNodes()
    this.#addClashes()
  }

  /** The program of one stage; `floor` is what must not be given up, `start` an assignment that reaches it. */
  mip(stage: Stage, floor: Score, start: Assignment): Mip {
    const rows = [...this.#rows]
    const costs = new Array<number>(this.#columns).fill(0)
    if (stage !== 'placed') rows.push(...this.#placedAtLeast(floor))
    if (stage === 'kept') {
      // A thousandth of a byte of slack is for rounding; whole bytes are compared exactly afterwards.
      const entries = [...this.#fetched.values()].map(
        ({ column, bytes }) => [column, megabytes(bytes)] as const,
      )
      rows.push({ entries, lower: null, upper: megabytes(floor.bytes) + 1e-9 })
    }
    switch (stage) {
      case 'placed':
        this.#countPlaced(costs)
        break
      case 'bytes':
        for (const { column, bytes } of this.#fetched.values()) costs[column] = megabytes(bytes)
        break
      case 'kept':
        this.#countKept(costs)
    }
    const sense = stage === 'bytes' ? 'minimize' : 'maximize'
    return { sense, costs, rows, gap: this.#gap(stage), start: this.#valuesOf(start) }
  }

  /** The assignment that column values stand for. */
  decode(values: readonly number[]): Assignment {
    return this.#taken.map((columns) => {
      const taken = columns.findIndex((column) => (values[column] ?? 0) > 0.5)
      return taken < 0 ? null : taken
    })
  }

  /** Forbids a combination that floating point let through. */
  forbid(violation: Violation): void {
    const columns =
      violation.kind === 'room'
        ? violation.models.flatMap(
            (model) => this.#fetched.get(fetchKey(violation.node, model))?.column ?? [],
          )
        : violation.roles.flatMap((role) => this.#columnAt(role, violation.node) ?? [])
    this.#rows.push({ entries: columns.map((column) => [column, 1]), lower: null, upper: columns.length - 1 })
  }

  /** Roles are counted whole, bytes are whole, and a clash counts for a share of a role. */
  #gap(stage: Stage): number {
    switch (stage) {
      case 'placed':
        return 0.999
      case 'bytes':
        return 0.5e-6
      case 'kept':
        return 0.5 / (this.#clashes.length + 1)
    }
  }

  /** One for each role, and for an interactive one more than for all the others together. */
  #countPlaced(costs: number[]): void {
    const others = this.#problem.roles.filter(({ interactive }) => !interactive).length
    this.#problem.roles.forEach(({ interactive }, role) => {
      for (const column of this.#taken[role] ?? []) costs[column] = interactive ? others + 1 : 1
    })
  }

  /** One for each sticky role at home, less a share of it for each clash. */
  #countKept(costs: number[]): void {
    for (const { column } of this.#clashes) costs[column] = -1 / (this.#clashes.length + 1)
    this.#problem.roles.forEach(({ sticky, home }, role) => {
      const column = sticky && home !== null ? this.#columnAt(role, home) : null
      if (column !== null) costs[column] = 1
    })
  }

  #columnAt(role: number, node: number): number | null {
    const option = this.#problem.roles[role]?.options.findIndex((each) => each.node === node) ?? -1
    return this.#taken[role]?.[option] ?? null
  }

  #placedAtLeast(floor: Score): MipRow[] {
    const columns = (wanted: (interactive: boolean) => boolean): readonly (readonly [number, number])[] =>
      this.#problem.roles.flatMap(({ interactive }, role) =>
        wanted(interactive) ? (this.#taken[role] ?? []).map((column) => [column, 1] as const) : [],
      )
    return [
      { entries: columns((interactive) => interactive), lower: floor.interactivePlaced, upper: null },
      { entries: columns(() => true), lower: floor.placed, upper: null },
    ]
  }

  #addRoles(): void {
    for (const columns of this.#taken) {
      this.#rows.push({ entries: columns.map((column) => [column, 1]), lower: null, upper: 1 })
    }
    this.#problem.roles.forEach(({ options, model }, role) => {
      options.forEach(({ node, bytes }, option) => {
        const column = this.#taken[role]?.[option]
        if (bytes === 0n || column === undefined) return
        const key = fetchKey(node, model)
        const fetched = this.#fetched.get(key) ?? { column: this.#columns++, bytes }
        this.#fetched.set(key, fetched)
        this.#rows.push({
          entries: [
            [column, 1],
            [fetched.column, -1],
          ],
          lower: null,
          upper: 0,
        })
      })
    })
  }

  #addNodes(): void {
    const { roles, nodes, apart } = this.#problem
    nodes.forEach(({ budget, room }, node) => {
      const there = roles.flatMap(({ memoryBytes }, role) => {
        const column = this.#columnAt(role, node)
        return column === null ? [] : [[column, megabytes(memoryBytes)] as const]
      })
      if (budget !== null && there.length > 0) {
        this.#rows.push({ entries: there, lower: null, upper: megabytes(budget.bytes) })
      }
      const coming = [...this.#fetched]
        .filter(([key]) => key.startsWith(fetchKey(node, '')))
        .map(([, { column, bytes }]) => [column, megabytes(bytes)] as const)
      if (coming.length > 0) this.#rows.push({ entries: coming, lower: null, upper: megabytes(room ?? 0n) })
      for (const [a, b] of apart) {
        const [first, second] = [this.#columnAt(a, node), this.#columnAt(b, node)]
        if (first !== null && second !== null) {
          this.#rows.push({
            entries: [
              [first, 1],
              [second, 1],
            ],
            lower: null,
            upper: 1,
          })
        }
      }
    })
  }

  #addClashes(): void {
    const { roles, nodes } = this.#problem
    roles.forEach(({ port }, a) => {
      if (port === null) return
      roles.slice(a + 1).forEach((other, offset) => {
        if (other.port !== port) return
        nodes.forEach((_, node) => {
          const [first, second] = [this.#columnAt(a, node), this.#columnAt(a + 1 + offset, node)]
          if (first === null || second === null) return
          const column = this.#columns++
          this.#clashes.push({ column, first, second })
          this.#rows.push({
            entries: [
              [first, 1],
              [second, 1],
              [column, -1],
            ],
            lower: null,
            upper: 1,
          })
        })
      })
    })
  }

  #valuesOf(assignment: Assignment): number[] {
    const values = new Array<number>(this.#columns).fill(0)
    this.#problem.roles.forEach(({ model }, role) => {
      const option = optionOf(this.#problem, assignment, role)
      if (option === null) return
      const taken = this.#columnAt(role, option.node)
      const fetched = option.bytes === 0n ? undefined : this.#fetched.get(fetchKey(option.node, model))
      if (taken !== null) values[taken] = 1
      if (fetched) values[fetched.column] = 1
    })
    for (const { column, first, second } of this.#clashes) {
      if (values[first] === 1 && values[second] === 1) values[column] = 1
    }
    return values
  }
}

function fetchKey(node: number, model: string): string {
  return `${node} ${model}`
}
