import { useLayoutEffect, useMemo, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { sameWindow, visibleWindow, type GridShape, type Viewport } from './grid-layout.ts'

const NOTHING: Viewport = { left: 0, top: 0, width: 0, height: 0 }

export function viewportOf(scroller: HTMLElement): Viewport {
  return {
    left: scroller.scrollLeft,
    top: scroller.scrollTop,
    width: scroller.clientWidth,
    height: scroller.clientHeight,
  }
}

/** A grid's shape in a viewport of so many CSS pixels. */
export type ShapeFor = (width: number, height: number) => GridShape

interface GridViewport {
  readonly shape: GridShape
  /**
   * Where the scroller was when other rows or cells last came into view; the exact place is the scroller's
   * own.
   */
  readonly viewport: Viewport
  /** To be called on every scroll event; draws at once what has come into view. */
  readonly onScroll: (scroller: HTMLElement, also: (viewport: Viewport, shape: GridShape) => void) => void
}

/** Follows the size and the scrolling of `scroller`, with the grid's shape for its size. */
export function useGridViewport(scroller: RefObject<HTMLElement | null>, shapeFor: ShapeFor): GridViewport {
  const [viewport, setViewport] = useState(NOTHING)
  const { width, height } = viewport
  const shape = useMemo(() => shapeFor(width, height), [shapeFor, width, height])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setViewport(viewportOf(element)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])

  return {
    shape,
    viewport,
    onScroll: (element, also) => {
      const next = viewportOf(element)
      const moved = !sameWindow(visibleWindow(shape, viewport), visibleWindow(shape, next))
      // Before this frame is painted, so that heads and cells never show two different places.
      flushSync(() => {
        if (moved) setViewport(next)
        also(next, shape)
      })
    },
  }
}
