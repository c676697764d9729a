/** What a scenario file says it is. */
export const SCENARIO_SCHEMA = 'lab-planner.scenario.v1'

/** Largest scenario file read, in bytes. */
export const MAX_SCENARIO_BYTES = 1024 * 1024
