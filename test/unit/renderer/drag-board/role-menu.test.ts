import { describe, expect, test } from 'vitest'
import { buildBoard, findRole } from '../../../../renderer/drag-board/board-model.ts'
import { roleMenu } from '../../../../renderer/drag-board/role-menu.ts'
import type { OverlayEdit } from '../../../../shared/overlay/edit-overlay.ts'
import { planOf } from '../../../support/plan-of.ts'

/** The items of the menu of `coder`, and every edit that choosing each of them asks for. */
function menu(
  overlay: string,
): { readonly label: string; readonly checked: boolean; readonly edit: OverlayEdit | null }[] {
  const { plan, document } = planOf([{ id: 'coder' }], overlay)
  const chip = findRole(buildBoard(plan.roles, document.overlay), 'coder')
  if (chip === null) throw new Error('the role is not on the board')
  let asked: OverlayEdit | null = null
  const entries = roleMenu(
    chip,
    (edit) => (asked = edit),
    () => undefined,
  )
  return entries.flatMap((entry) => {
    if (entry.kind !== 'item') return []
    asked = null
    entry.onSelect()
    return [{ label: entry.label, checked: entry.checked ?? false, edit: asked }]
  })
}

describe('roleMenu', () => {
  test('does by menu all that dragging and the switch do', () => {
    expect(menu('').map(({ edit }) => edit)).toEqual([
      { kind: 'set_latency_class', role: 'coder', latencyClass: 'interactive' },
      { kind: 'set_latency_class', role: 'coder', latencyClass: 'batch' },
      { kind: 'unset_latency_class', role: 'coder' },
      { kind: 'set_sticky', role: 'coder', sticky: true },
      { kind: 'set_sticky', role: 'coder', sticky: false },
      { kind: 'unset_sticky', role: 'coder' },
      null,
    ])
  })

  test('ticks what the overlay says, and the default where it says nothing', () => {
    const ticked = (overlay: string): string[] =>
      menu(overlay).flatMap(({ label, checked }) => (checked ? [label] : []))
    expect(ticked('')).toEqual(['Default', 'Back to default'])
    expect(ticked('latency_class: {coder: batch}\nsticky: {coder: false}')).toEqual(['Batch', 'May move'])
  })
})
