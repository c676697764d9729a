import { useState, type ReactNode } from 'react'
import { Field } from '../ui/field.tsx'
import styles from './policy.module.css'

interface LinkFieldProps {
  readonly mbps: number | null
  readonly onChange: (mbps: number | null) => void
}

/** The rate of links that no fleet file gives, in megabits (1e6) a second; null when the text is no such rate. */
function rateOf(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const rate = /^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : 0
  return rate > 0 && rate <= 1e9 ? rate : undefined
}

/** How fast weights move between nodes, to say how long a plan takes to become true. */
export function LinkField({ mbps, onChange }: LinkFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? mbps?.toString() ?? ''
  const isRate = rateOf(text) !== undefined
  return (
    <label
      className={styles.control}
      title="Rate of links that fleet.yaml does not give, in megabits (1e6 bits) a second"
    >
      Links
      <Field
        id="policy-links"
        label="Links in megabits a second"
        className={styles.rate}
        inputMode="decimal"
        placeholder="?"
        suffix="Mb/s"
        value={text}
        error={isRate ? null : 'The rate must be a number of megabits a second above 0'}
        onChange={(event) => {
          setTyped(event.target.value)
          const next = rateOf(event.target.value)
          if (next !== undefined) onChange(next)
        }}
        onBlur={() => setTyped(null)}
      />
    </label>
  )
}
