import { byLatencyClass, LATENCY_CLASSES, type LatencyClass } from '../../shared/inference-spec.ts'
import { excludedRole } from '../../shared/overlay/edit-step.ts'
import type { Overlay } from '../../shared/overlay/types.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import type { LatencySource } from '../../shared/roster/types.ts'

/** A role as its chip shows it. */
export interface BoardRole {
  readonly role: string
  readonly latencyClass: LatencyClass
  readonly latencySource: LatencySource
  readonly sticky: boolean
  /** Whether the overlay (rather than the default) says so. */
  readonly stickyFromOverlay: boolean
}

/** A role that lists others it cannot be beside. */
export interface ExcludeCard {
  readonly role: string
  /** Whether the roster has such a role. */
  readonly known: boolean
  /** In the order of the text, each once, however it is spelled; none in a card that was only started. */
  readonly excludes: readonly { readonly role: string; readonly known: boolean }[]
}

export interface Board {
  /** A column for every latency class, in roster order. */
  readonly columns: Readonly<Record<LatencyClass, readonly BoardRole[]>>
  readonly cards: readonly ExcludeCard[]
}

/** A board without roles. */
export const EMPTY_BOARD: Board = { columns: byLatencyClass(() => []), cards: [] }

/**
 * The board of a plan and the overlay it was made with: roles in roster order, cards in the order of the
 * text.
 */
export function buildBoard(plans: readonly RolePlan[], overlay: Overlay): Board {
  const roles = plans.map(({ role, imported }): BoardRole => {
    const { spec, latencySource, stickyFromOverlay } = imported
    return { role, latencyClass: spec.latencyClass, latencySource, sticky: spec.sticky, stickyFromOverlay }
  })
  const known = new Set(roles.map(({ role }) => role))
  const cards = [...overlay.excludes].flatMap(([role, written]): ExcludeCard[] => {
    const names = new Set(written.map(excludedRole))
    if (names.size === 0) return []
    return [
      {
        role,
        known: known.has(role),
        excludes: [...names].map((name) => ({ role: name, known: known.has(name) })),
      },
    ]
  })
  return {
    columns: byLatencyClass((each) => roles.filter(({ latencyClass }) => latencyClass === each)),
    cards,
  }
}

/**
 * `now` with every chip, card and column that shows what it showed before as the object it was: an edit changes one or
 * two of hundreds, and what is the same object is not drawn again.
 */
export function keepSame(before: Board, now: Board): Board {
  const chips = new Map(boardRoles(before).map((chip) => [chip.role, chip]))
  const cards = new Map(before.cards.map((card) => [card.role, card]))
  const chip = (one: BoardRole): BoardRole => sameOr(chips.get(one.role), one)
  return {
    columns: byLatencyClass((each) => sameItems(before.columns[each], now.columns[each].map(chip))),
    cards: sameItems(
      before.cards,
      now.cards.map((card) => sameOr(cards.get(card.role), card)),
    ),
  }
}

function sameOr<T extends BoardRole | ExcludeCard>(before: T | undefined, now: T): T {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

function sameItems<T>(before: readonly T[], now: readonly T[]): readonly T[] {
  return before.length === now.length && now.every((item, i) => item === before[i]) ? before : now
}

/** The roles whose names hold `text`, and the cards in which such a role stands. */
export function filterBoard(board: Board, text: string): Board {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return board
  const matches = ({ role }: { readonly role: string }): boolean => role.toLowerCase().includes(wanted)
  return {
    columns: byLatencyClass((each) => board.columns[each].filter(matches)),
    cards: board.cards.filter((card) => matches(card) || card.excludes.some(matches)),
  }
}

/** The roles of all columns, column by column. */
export function boardRoles(board: Board): readonly BoardRole[] {
  return LATENCY_CLASSES.flatMap((each) => board.columns[each])
}

/** The role's chip, or null when the roster has no such role. */
export function findRole(board: Board, role: string): BoardRole | null {
  return boardRoles(board).find((candidate) => candidate.role === role) ?? null
}

/** The names that `role` lists; empty when it has no card. */
export function excludesOf(board: Board, role: string): readonly string[] {
  return board.cards.find((card) => card.role === role)?.excludes.map((exclude) => exclude.role) ?? []
}
