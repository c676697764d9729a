import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { DENSITIES, type Density } from './grid/density.ts'

/** The density of one of the grids, remembered between runs. */
export function useDensity(grid: 'shards' | 'lab'): [Density, (density: Density) => void] {
  const { view } = usePlanner()
  const group = `density-${grid}`
  const kept = usePlannerState((state) => state.settings.layout[group])
  const density = DENSITIES.find((each) => each === kept) ?? 'comfortable'
  return [density, (chosen) => view.rememberLayout(group, chosen)]
}
