import { Fragment, useEffect, useState, type ReactNode } from 'react'
import type { MachineReport } from '../../shared/gather/report.ts'
import type { HostResult } from '../../shared/host-api.ts'
import type { LabNode } from '../../shared/node/types.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { AddMachines } from './add-machines.tsx'
import { MachineItem } from './machine-item.tsx'
import { countsSentence } from './machine-words.ts'
import { NodeSiteForm } from './node-site-form.tsx'
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
  const [editing, setEditing] = useState<string | null>(null)
  const nodes = usePlannerState((state) => (state.lab.status === 'open' ? state.lab.lab.nodes : NO_NODES))
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
          {editing !== null ? null : running ? (
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
      ) : editing !== null ? (
        <NodeSiteForm
          nodeId={editing}
          site={nodes.find(({ nodeId }) => nodeId === editing)?.declared?.site ?? null}
          fleet={report.fleet}
          onCancel={() => {
            setError(null)
            setEditing(null)
          }}
          onSave={(before, site) =>
            after(call.setSite({ node: editing, before, site }), (next) => {
              show(next)
              setEditing(null)
            })
          }
        />
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
                    onEdit={() => setEditing(machine.nodeId)}
                  />
                ))}
              </ul>
            </>
          )}
          {report.others.length === 0 ? null : (
            <p className={styles.text}>
              Not gathered, since {report.fleet} has no <code>ssh</code> for them:{' '}
              {report.others.slice(0, MOST_NAMED).map((node, i) => (
                <Fragment key={node}>
                  {i === 0 ? null : ', '}
                  <Button
                    variant="link"
                    title={`Say how ${node} is reached`}
                    onClick={() => setEditing(node)}
                  >
                    {node}
                  </Button>
                </Fragment>
              ))}
              {report.others.length > MOST_NAMED ? ` and ${report.others.length - MOST_NAMED} more` : ''}.
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
const NO_NODES: readonly LabNode[] = []
