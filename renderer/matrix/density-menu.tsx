import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { DENSITIES, type Density } from './grid/density.ts'

const LABELS: Readonly<Record<Density, string>> = {
  comfortable: 'Comfortable',
  compact: 'Compact',
  overview: 'Overview',
}

interface DensityMenuProps {
  readonly value: Density
  readonly onChange: (density: Density) => void
}

/** How large the grid's cells are. */
export function DensityMenu({ value, onChange }: DensityMenuProps): ReactNode {
  return (
    <Menu
      trigger={
        <Button
          variant="quiet"
          aria-label={`Density: ${LABELS[value]}`}
          title="Size of the cells (Ctrl or Cmd with + and − while the table has the focus)"
        >
          {LABELS[value]}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      entries={DENSITIES.map((density) => ({
        kind: 'item',
        label: LABELS[density],
        checked: density === value,
        onSelect: () => onChange(density),
      }))}
    />
  )
}
