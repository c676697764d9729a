import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { restoredBounds, type Area } from '../../../electron/window-bounds.ts'

const MAIN: Area = { x: 0, y: 25, width: 1600, height: 975 }
const RIGHT: Area = { x: 1600, y: 0, width: 1920, height: 1080 }
const saved = (bounds: Partial<Area>) => ({
  x: 0,
  y: 25,
  width: 1000,
  height: 700,
  maximized: false,
  ...bounds,
})

describe('restoredBounds', () => {
  test('is centred on the main display the first time', () => {
    expect(restoredBounds(null, [MAIN])).toEqual({ x: 80, y: 63, width: 1440, height: 900 })
  })

  test('is where it was, on whichever display', () => {
    const there = { x: 1700, y: 50, width: 1000, height: 700 }
    expect(restoredBounds(saved(there), [MAIN, RIGHT])).toEqual(there)
  })

  test('comes back to the main display when the other one is gone', () => {
    expect(restoredBounds(saved({ x: 1700, y: 50 }), [MAIN])).toEqual({
      x: 300,
      y: 163,
      width: 1000,
      height: 700,
    })
  })

  test('comes back when its title bar cannot be taken hold of', () => {
    const centred = { x: 300, y: 163 }
    expect(restoredBounds(saved({ y: -50 }), [MAIN])).toMatchObject(centred)
    expect(restoredBounds(saved({ y: 990 }), [MAIN])).toMatchObject(centred)
    expect(restoredBounds(saved({ x: -950 }), [MAIN])).toMatchObject(centred)
    expect(restoredBounds(saved({ x: -600 }), [MAIN])).toMatchObject({ x: -600 })
  })

  test('always fits a display and can be reached, whatever was saved', () => {
    const number = fc.integer({ min: -100_000, max: 100_000 })
    const state = fc.record({ x: number, y: number, width: number, height: number, maximized: fc.boolean() })
    fc.assert(
      fc.property(state, (before) => {
        const bounds = restoredBounds(before, [MAIN, RIGHT])
        const isReachable = [MAIN, RIGHT].some(
          (area) =>
            bounds.y >= area.y &&
            bounds.y < area.y + area.height &&
            bounds.x < area.x + area.width &&
            bounds.x + bounds.width > area.x,
        )
        return isReachable && bounds.width >= 720 && bounds.height >= 480 && bounds.width <= 1920
      }),
    )
  })
})
