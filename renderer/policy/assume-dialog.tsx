import type { ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import { formatGib } from '../../shared/scenario/scenario.ts'
import { selectRole } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { GibField } from './gib-field.tsx'
import styles from './policy.module.css'

/** `120 GiB (128.8 GB)`: in the unit of the fields, and in that of the other panes. */
function inBoth(bytes: bigint): string {
  return `${formatGib(bytes)} (${formatBytes(bytes)})`
}

/** Assuming other memory or space for a node than it reports. */
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
      description={`Other memory or space for ${node} than it reports`}
      onClose={view.closeDialog}
      footer={
        <>
          <Button
            onClick={() => {
              scenario.assumeMemory(node, null)
              scenario.assumeFreeSpace(node, null)
            }}
          >
            As reported
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
          whenEmpty={{ placeholder: 'as reported', bytes: null }}
          onChange={(bytes) => scenario.assumeMemory(node, bytes)}
        />
        <GibField
          name="Storage free"
          title="Free where fetched models land, in GiB (2^30 bytes)"
          bytes={space}
          whenEmpty={{ placeholder: 'as reported', bytes: null }}
          onChange={(bytes) => scenario.assumeFreeSpace(node, bytes)}
        />
        {verdict ? (
          <p className={styles.control}>
            The plan uses{' '}
            {verdict.memory === null
              ? 'no memory for roles'
              : `${inBoth(verdict.memory.freeBytes)} of memory`}{' '}
            and {verdict.freeBytes === null ? 'unknown storage' : `${inBoth(verdict.freeBytes)} of storage`}{' '}
            free.
          </p>
        ) : null}
      </div>
    </Dialog>
  )
}
