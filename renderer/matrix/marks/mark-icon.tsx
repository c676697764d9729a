import { useLayoutEffect, useRef, type ReactNode } from 'react'
import type { Mark } from './mark.ts'
import { useMarkPalette } from './mark-palette.ts'
import { paintMarks } from './paint-marks.ts'
import { clearedContext } from './sized-canvas.ts'
import { usePixelRatio } from './use-pixel-ratio.ts'
import styles from './marks.module.css'

/** Room around the mark for the ring of a source. */
const SIDE = 18
const SIZE = 14

/** One mark on its own, painted as in the grid. It says nothing to a screen reader: words stand beside it. */
export function MarkIcon({ mark }: { readonly mark: Mark }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useMarkPalette()
  const ratio = usePixelRatio()
  useLayoutEffect(() => {
    const context = canvas.current && clearedContext(canvas.current, SIDE, SIDE, ratio)
    if (context) paintMarks(context, palette, new Map([[mark, [{ x: SIDE / 2, y: SIDE / 2 }]]]), SIZE)
  }, [mark, palette, ratio])
  return <canvas ref={canvas} className={styles.icon} aria-hidden="true" />
}
