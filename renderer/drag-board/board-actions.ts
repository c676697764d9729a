import { createContext, useContext } from 'react'

/** What chips and cards ask of the board; one object for its life, so that nothing is drawn again for it. */
export interface BoardActions {
  readonly select: (role: string) => void
  readonly openMenu: (role: string, at: DOMRect) => void
  readonly setSticky: (role: string, sticky: boolean) => void
  readonly removeExclude: (card: string, role: string) => void
  readonly chooseExcludes: (role: string) => void
  readonly dropPending: () => void
}

export const BoardActionsContext = createContext<BoardActions | null>(null)

export function useBoardActions(): BoardActions {
  const actions = useContext(BoardActionsContext)
  if (actions === null) throw new Error('useBoardActions is used outside the board')
  return actions
}
