import { useState, type ReactNode } from 'react'
import type { ProposedMachine } from '../../shared/gather/machines.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import styles from './machines.module.css'

interface AddMachinesProps {
  readonly proposed: readonly ProposedMachine[]
  readonly onAdd: (hosts: readonly string[]) => void
}

const SEARCH_FROM = 12

/** Hosts of the ssh configuration, to be chosen from: not all of them run models. */
export function AddMachines({ proposed, onAdd }: AddMachinesProps): ReactNode {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [search, setSearch] = useState('')
  const shown = proposed.filter(({ host }) => host.toLowerCase().includes(search.trim().toLowerCase()))
  const toggle = (host: string, on: boolean): void => {
    const next = new Set(chosen)
    if (on) next.add(host)
    else next.delete(host)
    setChosen(next)
  }
  return (
    <section aria-label="Hosts of the ssh configuration">
      <h3 className={styles.heading}>Hosts of your ssh configuration</h3>
      {proposed.length < SEARCH_FROM ? null : (
        <Field
          label="Search hosts"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <ul className={styles.hosts}>
        {shown.map(({ host, nodeId }) => (
          <li key={host}>
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={chosen.has(host)}
                onChange={(event) => toggle(host, event.target.checked)}
              />
              <span className={styles.host} title={host}>
                {host}
                {nodeId === host ? '' : `, as node ${nodeId}`}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <Button disabled={chosen.size === 0} onClick={() => onAdd([...chosen])}>
        {chosen.size < 2 ? 'Add to fleet.yaml' : `Add ${chosen.size} to fleet.yaml`}
      </Button>
    </section>
  )
}
