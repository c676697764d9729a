import type { LatencyClass, Runtime } from '../../shared/inference-spec.ts'
import type { OutcomeKind } from '../../shared/plan/outcome.ts'

/** What the operator looks at; nothing here changes the plan. */
export interface ViewState {
  /** The selected role's id; null when there is none yet. */
  readonly role: string | null
  /** The node under the pointer or the keyboard, in whichever pane: the others light it too. */
  readonly node: string | null
  readonly centre: CentreTab
  /** A node that the view of nodes is to go to, once; null when there is none. */
  readonly revealed: string | null
  /** The pane that is shown where they are tabs, and where F6 was last. */
  readonly pane: PaneName
  readonly search: string
  readonly filter: RosterFilter
  /** Where the caret is in the overlay's text, 1-based, columns in code points; null while it is not being edited. */
  readonly caret: Caret | null
}

export interface Caret {
  readonly line: number
  readonly column: number
}

/** The window's panes, by their accessible names and in their order. */
export const PANE_NAMES = ['Roster', 'Shard matrix', 'Explanation', 'Overlay', 'Drag board'] as const
export type PaneName = (typeof PANE_NAMES)[number]

/** The centre pane's three views: one role's shards, the whole lab, the nodes. */
export type CentreTab = 'shards' | 'lab' | 'nodes'
export const CENTRE_TABS: readonly { readonly id: CentreTab; readonly label: string }[] = [
  { id: 'shards', label: 'Shards' },
  { id: 'lab', label: 'Lab' },
  { id: 'nodes', label: 'Nodes' },
]

/** Which roles the roster list shows. */
export interface RosterFilter {
  readonly outcome: OutcomeFilter
  readonly runtime: Runtime | null
  readonly latency: LatencyClass | null
  readonly withProblems: boolean
  /** Only roles that the other roles keep from their own node. */
  readonly displaced: boolean
}
export type OutcomeFilter = 'all' | OutcomeKind

export const START_VIEW: ViewState = {
  role: null,
  node: null,
  centre: 'shards',
  revealed: null,
  pane: 'Shard matrix',
  search: '',
  filter: { outcome: 'all', runtime: null, latency: null, withProblems: false, displaced: false },
  caret: null,
}

/** The one dialog that is open. */
export type Dialog =
  | { readonly kind: 'export' }
  /** Saving found another version on disk. */
  | { readonly kind: 'conflict' }
  /** The unsaved text against the version on disk. */
  | { readonly kind: 'compare_overlay' }
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'about' }
  | { readonly kind: 'open_lab' }
  | { readonly kind: 'problems' }
  /** A solver's assignment of all roles. */
  | { readonly kind: 'suggest' }
  /** Other memory or space for a node than it reports. */
  | { readonly kind: 'assume'; readonly node: string }
  /** Choosing a scenario file. */
  | { readonly kind: 'open_scenario' }
  /** A name for what is assumed now, or another one for the scenario that was switched to. */
  | { readonly kind: 'name_scenario'; readonly to: 'save' | 'rename' }
  | { readonly kind: 'delete_scenario' }
  /** What a role takes in memory, and its server's settings. */
  | { readonly kind: 'role_memory'; readonly role: string }
  /** What it would take to run every role. */
  | { readonly kind: 'every_role' }
  /** Two or three scenarios side by side. */
  | { readonly kind: 'compare_scenarios' }
  /** What changed since the pinned plan, and which input did it. */
  | { readonly kind: 'comparison' }
  /** What the lab's servers run now. */
  | { readonly kind: 'live' }
  /** A first roster, proposed by what lies on this machine. */
  | { readonly kind: 'new_lab' }
  /** The machines of the lab, gathered over ssh. */
  | { readonly kind: 'machines' }
  /** Looking for models on this machine and scanning them. */
  | { readonly kind: 'scan' }
  /** A file of the lab, read-only, with a place in it. */
  | { readonly kind: 'file'; readonly file: string; readonly line: number | null }
  /** Something would lose unsaved edits; `resume` names what waits for the answer. */
  | { readonly kind: 'unsaved'; readonly resume: Resume }

export type Resume =
  | { readonly to: 'open'; readonly token: string; readonly label: string }
  | { readonly to: 'open_sample' }
  | { readonly to: 'close' }

export interface Toast {
  readonly id: number
  readonly tone: 'info' | 'success' | 'error'
  readonly message: string
}
