import type { ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import { selectRole } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { GibField } from './gib-field.tsx'
import styles from './policy.module.css'

/** Assuming other memory or space for a node than it tells. */
export function AssumeDialog(): ReactNode {
  const node = usePlannerState((state) => (state.dialog?.kind === 'assume' ? state.dialog.node : null))
  return node === null ? null : <Assume node={node} />
}

function Assume({ node }: { readonly node: string }): ReactNode {
  const { scenario, view } = usePlanner()
  const memory = usePlannerState((state) => state.scenario.memory.get(node) ?? null)
  const space = usePlannerState((state) => state.scenario.freeSpace.get(node) ?? null)
  const verdict = usePlannerState(selectRole)?.nodes.find(({ nodeId }) => nodeId === node)
  return (
    <Dialog
      title={`What if ${node} had…`}
      description={`Other memory or space for ${node} than it tells`}
      onClose={view.closeDialog}
      footer={
        <>
          <Button
            onClick={() => {
              scenario.assumeMemory(node, null)
              scenario.assumeFreeSpace(node, null)
            }}
          >
            As it tells
          </Button>
          <Button variant="primary" onClick={view.closeDialog}>
            Done
          </Button>
        </>
      }
    >
      <div className={styles.assume}>
        <GibField
          name="Memory free"
          title="Free in the pool for roles, in GiB (2^30 bytes)"
          bytes={memory}
          whenEmpty={{ placeholder: 'as told', bytes: null }}
          spellsErrorOut
          onChange={(bytes) => scenario.assumeMemory(node, bytes)}
        />
        <GibField
          name="Storage free"
          title="Free where fetched models land, in GiB (2^30 bytes)"
          bytes={space}
          whenEmpty={{ placeholder: 'as told', bytes: null }}
          spellsErrorOut
          onChange={(bytes) => scenario.assumeFreeSpace(node, bytes)}
        />
        {verdict ? (
          <p className={styles.control}>
            The plan on screen reckons with{' '}
            {verdict.memory === null
              ? 'no memory for roles'
              : `${formatBytes(verdict.memory.freeBytes)} of memory`}{' '}
            and{' '}
            {verdict.freeBytes === null ? 'unknown storage' : `${formatBytes(verdict.freeBytes)} of storage`}{' '}
            free.
          </p>
        ) : null}
      </div>
    </Dialog>
  )
}
