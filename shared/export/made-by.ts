const MARK = 'Made by Lab Planner'

/** What the first lines of a file of a run book say, without the comment marks of its language. */
export function madeBy(what: string, planHash: string): string {
  return `${MARK} for ${what}; plan ${planHash}. Export again instead of editing it.`
}

/** Whether a file says in its first lines that it is of a run book. */
export function isMadeByPlanner(text: string): boolean {
  return text.slice(0, 400).includes(MARK)
}
