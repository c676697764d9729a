import { LATENCY_CLASSES, LATENCY_TRAITS } from '../../shared/inference-spec.ts'
import type { OverlayEdit } from '../../shared/overlay/edit-overlay.ts'
import type { MenuEntry } from '../ui/menu.tsx'
import type { BoardRole } from './board-model.ts'

/** Everything that dragging a role does, as a menu. */
export function roleMenu(
  { role, latencyClass, latencySource, sticky, stickyFromOverlay }: BoardRole,
  edit: (edit: OverlayEdit) => void,
  chooseExcludes: () => void,
): readonly MenuEntry[] {
  const fromOverlay = latencySource === 'overlay'
  return [
    { kind: 'heading', label: `${role}: latency class` },
    ...LATENCY_CLASSES.map((each): MenuEntry => ({
      kind: 'item',
      label: LATENCY_TRAITS[each].title,
      checked: fromOverlay && latencyClass === each,
      onSelect: () => edit({ kind: 'set_latency_class', role, latencyClass: each }),
    })),
    {
      kind: 'item',
      label: 'Default',
      hint: fromOverlay ? undefined : latencyClass,
      checked: !fromOverlay,
      onSelect: () => edit({ kind: 'unset_latency_class', role }),
    },
    { kind: 'separator' },
    { kind: 'heading', label: 'Stickiness' },
    {
      kind: 'item',
      label: 'Sticky',
      checked: stickyFromOverlay && sticky,
      onSelect: () => edit({ kind: 'set_sticky', role, sticky: true }),
    },
    {
      kind: 'item',
      label: 'May move',
      checked: stickyFromOverlay && !sticky,
      onSelect: () => edit({ kind: 'set_sticky', role, sticky: false }),
    },
    {
      kind: 'item',
      label: 'Back to default',
      hint: stickyFromOverlay ? undefined : 'sticky',
      checked: !stickyFromOverlay,
      onSelect: () => edit({ kind: 'unset_sticky', role }),
    },
    { kind: 'separator' },
    { kind: 'item', label: 'Forbid beside…', onSelect: chooseExcludes },
  ]
}
