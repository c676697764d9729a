/** Page to host: `(name, args)`, answered with a HostResult. */
export const CALL_CHANNEL = 'planner:call'
/** Host to page: one HostEvent. */
export const EVENT_CHANNEL = 'planner:event'
/** Preload to host: the path of a file or folder that was dropped on the window. */
export const DROP_CHANNEL = 'planner:drop'
