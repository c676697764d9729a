import type { ReactNode } from 'react'
import { formatBytes } from '../../../shared/bytes.ts'
import { plural } from '../../../shared/listed.ts'
import type { NodeNow } from '../../../shared/live/servers-seen.ts'
import styles from './nodes.module.css'

/** What a node's servers hold now, by their own word; undefined where none of them answered. */
export function NowCell({ now }: { readonly now: NodeNow | undefined }): ReactNode {
  if (now === undefined) return <span title="none of its servers answered">–</span>
  const { models, bytes, isWhole } = now
  return (
    <div className={styles.storage} title={nowTitle(now)}>
      <div className={styles.figures}>
        {models > 0 && bytes === 0n ? 'size not said' : `${isWhole ? '' : 'at least '}${formatBytes(bytes)}`}
      </div>
      <div className={styles.words}>
        {models === 0 ? 'nothing loaded' : `${plural(models, 'model')} loaded`}
      </div>
    </div>
  )
}

function nowTitle({ models, bytes, isWhole }: NodeNow): string {
  if (models === 0) return 'its servers answer and have no model in memory'
  if (isWhole) return `its servers say that they hold ${formatBytes(bytes)}`
  return `its servers hold at least ${formatBytes(bytes)}: not all of them say what comes on top of the weights`
}
