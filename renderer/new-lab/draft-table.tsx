import type { ReactNode } from 'react'
import { RUNTIME_TRAITS, RUNTIMES } from '../../shared/inference-spec.ts'
import { Field } from '../ui/field.tsx'
import { classes } from '../ui/classes.ts'
import table from '../ui/table.module.css'
import type { DraftRow, RowFaults } from './draft-model.ts'
import styles from './new-lab.module.css'

interface DraftTableProps {
  readonly rows: readonly DraftRow[]
  readonly faults: readonly RowFaults[]
  readonly remarks: readonly (readonly string[])[]
  readonly onRow: (index: number, change: Partial<DraftRow>) => void
}

/** The proposed entries, each a row that can be edited or left out. */
export function DraftTable({ rows, faults, remarks, onRow }: DraftTableProps): ReactNode {
  return (
    <div className={styles.scroll}>
      <table className={classes(table.table, styles.entries)} aria-label="Proposed entries">
        <thead>
          <tr>
            <th scope="col">Use</th>
            <th scope="col" className={styles.id}>
              Role
            </th>
            <th scope="col">Model</th>
            <th scope="col" className={styles.runtime}>
              Runtime
            </th>
            <th scope="col" className={styles.figure}>
              Memory, GB
            </th>
            <th scope="col" className={styles.figure}>
              Port
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <EntryRow
              key={row.proposal}
              row={row}
              faults={faults[i] ?? {}}
              remarks={remarks[row.proposal] ?? []}
              onChange={(change) => onRow(i, change)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface EntryRowProps {
  readonly row: DraftRow
  readonly faults: RowFaults
  readonly remarks: readonly string[]
  readonly onChange: (change: Partial<DraftRow>) => void
}

function EntryRow({ row, faults, remarks, onChange }: EntryRowProps): ReactNode {
  const { id, name, runtime, ramGb, port, included } = row
  const field = (label: string, key: 'id' | 'name' | 'ramGb' | 'port', value: string): ReactNode => (
    <>
      <Field
        label={`${label} of ${id}`}
        className={styles.field}
        value={value}
        disabled={!included}
        error={faults[key] ?? null}
        onChange={(event) => onChange({ [key]: event.target.value })}
      />
      {faults[key] === undefined ? null : <div className={styles.fault}>{faults[key]}</div>}
    </>
  )
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Use ${id}`}
          checked={included}
          onChange={(event) => onChange({ included: event.target.checked })}
        />
      </td>
      <td>{field('Role', 'id', id)}</td>
      <td>
        {field('Model', 'name', name)}
        {remarks.map((remark) => (
          <div key={remark} className={styles.remark}>
            {remark}
          </div>
        ))}
      </td>
      <td>
        <select
          aria-label={`Runtime of ${id}`}
          className={styles.select}
          value={runtime}
          disabled={!included}
          onChange={(event) => {
            const chosen = RUNTIMES.find((each) => each === event.target.value)
            if (chosen !== undefined) onChange({ runtime: chosen })
          }}
        >
          {RUNTIMES.map((each) => (
            <option key={each} value={each}>
              {RUNTIME_TRAITS[each].backends[0]}
            </option>
          ))}
        </select>
      </td>
      <td>{field('Memory', 'ramGb', ramGb)}</td>
      <td>{field('Port', 'port', port)}</td>
    </tr>
  )
}
