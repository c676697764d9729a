/** Where a test's planner runs. */
export type PlannerHostKind = 'browser-host' | 'electron-double' | 'electron'
