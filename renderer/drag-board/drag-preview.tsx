import { DragOverlay, useDndContext } from '@dnd-kit/core'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { itemOf, targetOf, type Aim } from './aim.ts'
import type { Board } from './board-model.ts'
import { dropOutcome } from './drop.ts'
import styles from './drag-preview.module.css'

/** What is being dragged, under the pointer, with what dropping it there would do. */
export function DragPreview({ board, aim }: { readonly board: Board; readonly aim: Aim }): ReactNode {
  const { active, over } = useDndContext()
  const item = itemOf(active?.data.current)
  return (
    <DragOverlay dropAnimation={null} modifiers={[aim.place]} className={styles.overlay ?? ''}>
      {item === null ? null : (
        <div className={styles.preview} aria-hidden="true">
          <GripVertical size={12} className={styles.grip} />
          <span className={styles.name}>{item.role}</span>
          <span className={styles.caption}>
            {dropOutcome(item, targetOf(over?.data.current), board).caption}
          </span>
        </div>
      )}
    </DragOverlay>
  )
}
