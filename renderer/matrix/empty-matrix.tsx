import type { ReactNode } from 'react'
import type { RolePlan } from '../../shared/plan/types.ts'
import { usePlanner } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** What stands in the matrix's place while the lab has no node. */
export function NoNodes(): ReactNode {
  const { lab, view } = usePlanner()
  return (
    <EmptyState
      title="The lab has no nodes"
      actions={
        <>
          <Button variant="primary" onClick={() => view.openDialog({ kind: 'scan' })}>
            Scan this machine…
          </Button>
          <Button onClick={() => void lab.reload()}>Reload lab</Button>
        </>
      }
    >
      Scan this machine, put each other machine’s facts into docs/models/nodes/ as a JSON file, or name the
      machines in docs/models/fleet.yaml. They are read as soon as they are saved.
    </EmptyState>
  )
}

/** What stands in the matrix's place for a role whose shards are unknown. */
export function NoManifest({ role }: { readonly role: RolePlan }): ReactNode {
  const { view } = usePlanner()
  const { model } = role.imported.spec
  const actions = (
    <>
      <Button onClick={() => view.openDialog({ kind: 'scan' })}>Scan models…</Button>
      <Button onClick={() => view.showCentre('lab')}>Show the whole lab</Button>
    </>
  )
  if (model === null) {
    return (
      <EmptyState title={`${role.role} names no usable model`} actions={actions}>
        No manifest can be named “{role.imported.entry.name}”. Rename it in the roster: only letters, digits
        and . _ + : - are allowed.
      </EmptyState>
    )
  }
  return (
    <EmptyState title={`No manifest is named ${model}`} actions={actions}>
      Its shards are unknown, and so is which node holds them. Scan the model where it is, which enters it in
      docs/models/registry.json, or put its manifest into docs/models/manifests/.
    </EmptyState>
  )
}
