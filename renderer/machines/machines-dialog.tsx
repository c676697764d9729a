import { useEffect, useState, type ReactNode } from 'react'
import type { MachineReport } from '../../shared/gather/report.ts'
import type { HostResult } from '../../shared/host-api.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { AddMachines } from './add-machines.tsx'
import { MachineItem } from './machine-item.tsx'
import { countsSentence } from './machine-words.ts'
import styles from './machines.module.css'

/** The machines of the lab, whose facts are gathered over ssh. */
export function MachinesDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'machines')
  return open ? <Machines /> : null
}

function Machines(): ReactNode {
  const planner = usePlanner()
  const report = usePlannerState((state) => state.machines)
  const [error, setError] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const { call } = planner.client

  useEffect(() => {
    let isOld = false
    void call.machines({}).then((result) => {
      if (isOld) return
      if (result.ok) planner.store.setState({ machines: result.value })
      else setError(result.error.message)
    })
    return () => {
      isOld = true
    }
  }, [planner, call])

  const after = <T,>(work: Promise<HostResult<T>>, then?: (value: T) => void): void => {
    setError(null)
    void work.then((result) => {
      if (!result.ok) setError(result.error.message)
      else then?.(result.value)
    })
  }
  const show = (machines: MachineReport): void => planner.store.setState({ machines })
  const close = planner.view.closeDialog
  const running = report?.running ?? false
  const isEmpty = report !== null && report.machines.length === 0
  return (
    <Dialog
      wide
      title="Machines"
      description="The machines of the lab, whose facts are gathered over ssh"
      onClose={close}
      footer={
        <>
          <span className={styles.error} role="alert">
            {error}
          </span>
          {running ? (
            <>
              <Button onClick={close}>Go on in the background</Button>
              <Button variant="danger" onClick={() => after(call.stopGather({ node: null }))}>
                Stop all
              </Button>
            </>
          ) : (
            <>
              <Button onClick={close}>Close</Button>
              <Button
                variant={isEmpty ? 'plain' : 'primary'}
                disabled={report === null || isEmpty}
                onClick={() => after(call.startGather({ nodes: [] }))}
              >
                {report === null || report.machines.length < 2
                  ? 'Gather'
                  : `Gather all ${report.machines.length}`}
              </Button>
            </>
          )}
        </>
      }
    >
      {report === null ? (
        error === null ? (
          <p role="status">Reading the lab…</p>
        ) : null
      ) : (
        <div className={styles.body}>
          <p className={styles.text}>
            Each machine is asked over your own <code>ssh</code> what it is and which models it holds. Nothing
            is installed there; it keeps the hashes of its weight files and nothing else.
          </p>
          {isEmpty ? (
            <EmptyState title={`No machine in ${report.fleet} has an ssh host`}>
              {report.proposed.length === 0
                ? 'Your ssh configuration names no hosts. Give a node in fleet.yaml an `ssh: HOST`.'
                : 'Choose those of your ssh configuration that run models; they are added to that file.'}
            </EmptyState>
          ) : (
            <>
              <p role="status">{countsSentence(report)}</p>
              <ul className={styles.machines} aria-label="Machines of the lab">
                {report.machines.map((machine) => (
                  <MachineItem
                    key={machine.nodeId}
                    machine={machine}
                    nowSecs={report.nowSecs}
                    running={running}
                    onGather={() => after(call.startGather({ nodes: [machine.nodeId] }))}
                    onStop={() => after(call.stopGather({ node: machine.nodeId }))}
                  />
                ))}
              </ul>
            </>
          )}
          {report.others.length === 0 ? null : (
            <p className={styles.text}>
              Not gathered, since {report.fleet} has no <code>ssh</code> for them: {listOf(report.others)}.
            </p>
          )}
          {report.proposed.length === 0 ? null : adding || isEmpty ? (
            <AddMachines
              proposed={report.proposed}
              onAdd={(hosts) =>
                after(call.addMachines({ hosts: [...hosts] }), (next) => {
                  show(next)
                  setAdding(false)
                })
              }
            />
          ) : (
            <div>
              <Button disabled={running} onClick={() => setAdding(true)}>
                Add from the ssh configuration…
              </Button>
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}

const MOST_NAMED = 8

function listOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(', ')} and ${more} more` : names.join(', ')
}
