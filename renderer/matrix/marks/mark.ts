import type { LabCell, ShardCell } from '../../../shared/plan/matrix.ts'

/**
 * Everything a cell can show. Each has a shape of its own, so that colour alone never distinguishes two.
 */
export type Mark = ShardCell | LabCell
