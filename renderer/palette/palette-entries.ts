import { formatBytes, sumBytes } from '../../shared/bytes.ts'
import { LATENCY_CLASSES } from '../../shared/inference-spec.ts'
import { excludedRole, excludeName } from '../../shared/overlay/edit-step.ts'
import type { LabPlan, RolePlan } from '../../shared/plan/types.ts'
import type { Planner } from '../store/planner.ts'
import { selectRole } from '../store/selectors.ts'

/** Something that the palette finds besides commands and roles. */
export interface PaletteEntry {
  readonly label: string
  /** What it is or shows, in a few words. */
  readonly hint: string
  readonly run: () => void
}

/** The lab's nodes; each is shown in the view of nodes. */
export function nodeEntries({ store, view }: Planner): readonly PaletteEntry[] {
  const { lab } = store.getState()
  if (lab.status !== 'open') return []
  return lab.lab.nodes.map(({ nodeId }) => ({
    label: nodeId,
    hint: 'node',
    run: () => view.revealNode(nodeId),
  }))
}

/** The lab's models; a role that runs one is shown with its shards, else the manifest. */
export function modelEntries({ store, view }: Planner, plan: LabPlan | null): readonly PaletteEntry[] {
  const { lab } = store.getState()
  if (lab.status !== 'open') return []
  return lab.lab.manifests.map(({ body, file }) => {
    const role = plan?.roles.find(({ manifest }) => manifest?.body.name === body.name)
    return {
      label: body.name,
      hint: `model, ${formatBytes(sumBytes(body.shards.map(({ size }) => size)))}${role === undefined ? ', no role' : ''}`,
      run: () => {
        if (role === undefined) {
          view.openDialog({ kind: 'file', file, line: null })
          return
        }
        view.selectRole(role.role)
        view.showCentre('shards')
      },
    }
  })
}

/** What is set in the bar of policies and in the window's own settings. */
export function settingEntries({ store, scenario, view }: Planner): readonly PaletteEntry[] {
  const { scenario: present, settings, lab } = store.getState()
  const field = (id: string) => (): void => document.getElementById(id)?.focus()
  const policy: readonly PaletteEntry[] = [
    {
      label: present.sharingVeto ? 'Stop forbidding the copying of weights' : 'Forbid copying weights',
      hint: 'policy',
      run: () => scenario.setSharingVeto(!present.sharingVeto),
    },
    {
      label: present.requireFreshFacts ? 'Accept facts that are not fresh' : 'Require fresh facts',
      hint: 'policy',
      run: () => scenario.setRequireFreshFacts(!present.requireFreshFacts),
    },
    { label: 'Set the ceiling of a transfer', hint: 'policy, GiB', run: field('policy-ceiling') },
    { label: 'Set the headroom of storage', hint: 'policy, GiB', run: field('policy-headroom') },
    { label: 'Set the rate of links', hint: 'policy, Mb/s', run: field('policy-links') },
  ]
  const zoom = (by: number) => (): void => view.setZoom(Math.round((settings.zoom + by) * 10) / 10)
  return [
    ...(lab.status === 'open' ? policy : []),
    ...(settings.zoom < MOST_ZOOM ? [{ label: 'Zoom in', hint: 'setting', run: zoom(ZOOM_STEP) }] : []),
    ...(settings.zoom > LEAST_ZOOM ? [{ label: 'Zoom out', hint: 'setting', run: zoom(-ZOOM_STEP) }] : []),
    { label: 'Actual size', hint: 'setting', run: () => view.setZoom(1) },
  ]
}

const ZOOM_STEP = 0.1
const LEAST_ZOOM = 0.5
const MOST_ZOOM = 3

/** What the overlay can say of the selected role: latency class, stickiness, and beside whom it cannot be. */
export function overlayEntries(planner: Planner, plan: LabPlan | null): readonly PaletteEntry[] {
  const selected = selectRole(planner.store.getState())
  if (selected === null || planner.store.getState().overlay?.stale !== false) return []
  return [...ownEntries(planner, selected), ...pairEntries(planner, selected, plan?.roles ?? [])]
}

function ownEntries({ overlay }: Planner, { role, imported }: RolePlan): readonly PaletteEntry[] {
  const { latencyClass, sticky } = imported.spec
  const latency = LATENCY_CLASSES.filter(
    (each) => each !== latencyClass || imported.latencySource !== 'overlay',
  )
  return [
    ...latency.map((each) => ({
      label: `Make ${role} ${each}`,
      hint: 'latency class',
      run: () => void overlay.edit({ kind: 'set_latency_class', role, latencyClass: each }),
    })),
    ...(imported.latencySource === 'overlay'
      ? [
          {
            label: `Give ${role} its default latency class`,
            hint: 'latency class',
            run: () => void overlay.edit({ kind: 'unset_latency_class', role }),
          },
        ]
      : []),
    {
      label: sticky ? `Let ${role} move (not sticky)` : `Make ${role} sticky`,
      hint: 'stickiness',
      run: () => void overlay.edit({ kind: 'set_sticky', role, sticky: !sticky }),
    },
  ]
}

function pairEntries(
  { overlay }: Planner,
  { role, imported }: RolePlan,
  roles: readonly RolePlan[],
): readonly PaletteEntry[] {
  const excluded = new Set(imported.spec.excludes.map(excludedRole))
  return roles
    .filter((other) => other.role !== role)
    .map(({ role: other }) => {
      const exclude = excludeName(other)
      return excluded.has(other)
        ? {
            label: `Allow ${role} beside ${other}`,
            hint: 'excludes',
            run: () => void overlay.edit({ kind: 'remove_exclude', role, exclude }),
          }
        : {
            label: `Forbid ${role} beside ${other}`,
            hint: 'excludes',
            run: () => void overlay.edit({ kind: 'add_exclude', role, exclude }),
          }
    })
}
