import { useState, type ReactNode } from 'react'
import { gibToBytes } from '../../shared/bytes.ts'
import { formatGib } from '../../shared/scenario/scenario.ts'
import { Field } from '../ui/field.tsx'
import styles from './policy.module.css'

interface GibFieldProps {
  readonly name: string
  readonly title: string
  readonly bytes: bigint | null
  readonly whenEmpty: { readonly placeholder: string; readonly bytes: bigint | null }
  readonly onChange: (bytes: bigint | null) => void
}

/** What the field shows for `bytes`: nothing for the default, so that the placeholder says it. */
function shown(bytes: bigint | null, empty: bigint | null): string {
  return bytes === null || bytes === empty ? '' : formatGib(bytes).replace(' GiB', '')
}

/** A byte count typed in GiB. Text that is no number is marked and changes nothing. */
export function GibField(props: GibFieldProps): ReactNode {
  const { name, title, bytes, whenEmpty, onChange } = props
  // What is being typed, until it is left: rewriting `1.` to `1` under the fingers would be maddening.
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? shown(bytes, whenEmpty.bytes)
  const parse = (value: string): bigint | null | undefined => {
    if (value.trim() === '') return whenEmpty.bytes
    const parsed = /^\d*[.,]?\d+[.,]?$|^\d+[.,]?\d*$/.test(value.trim())
      ? gibToBytes(Number(value.trim().replace(',', '.')))
      : null
    return parsed ?? undefined
  }
  const counts = bytes === null ? 'none' : formatGib(bytes)
  const error =
    parse(text) === undefined ? `${name} must be a number of GiB from 0; until then ${counts} counts` : null
  return (
    <label className={styles.control} title={title}>
      {name}
      <Field
        id={`policy-${name.toLowerCase().replace(' ', '-')}`}
        label={`${name} in GiB`}
        className={styles.number}
        inputMode="decimal"
        placeholder={whenEmpty.placeholder}
        suffix="GiB"
        value={text}
        error={error}
        onChange={(event) => {
          setTyped(event.target.value)
          const next = parse(event.target.value)
          if (next !== undefined) onChange(next)
        }}
        onBlur={() => setTyped(null)}
      />
      {error === null ? null : (
        <span className={styles.error} role="alert">
          {error}
        </span>
      )}
    </label>
  )
}
