import type { ReactNode } from 'react'
import type { LabState } from '../store/lab-state.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { useShowProblem } from '../store/use-show-problem.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ProblemList } from '../ui/problem-list.tsx'
import styles from './lab-states.module.css'

/** What fills the window while there is no roster to plan: opening, failed, or a lab without a usable roster. */
export function NoLab({ lab }: { readonly lab: LabState }): ReactNode {
  const planner = usePlanner()
  const show = useShowProblem()
  const actions = (
    <>
      <Button variant="primary" onClick={() => planner.view.openDialog({ kind: 'new_lab' })}>
        New lab…
      </Button>
      <Button onClick={() => planner.view.openDialog({ kind: 'open_lab' })}>Open lab…</Button>
      <Button onClick={() => planner.lab.open({ to: 'open_sample' })}>Open the sample lab</Button>
      {lab.status === 'opening' ? null : (
        <Button onClick={() => void planner.lab.reload()}>Reload lab</Button>
      )}
    </>
  )
  switch (lab.status) {
    case 'opening':
      return <Opening />
    case 'failed':
      if (lab.error.code === 'refused')
        return <EmptyState title="This page has no key to Lab Planner">{lab.error.message}</EmptyState>
      return (
        <EmptyState title="No lab is open" actions={actions}>
          {lab.error.message}
        </EmptyState>
      )
    case 'open': {
      const errors = lab.lab.problems.filter((problem) => problem.severity === 'error')
      const roster = lab.snapshot.lab.files.find((file) => file.kind === 'roster')
      return (
        <EmptyState
          title={roster ? `${roster.file} cannot be read` : `${lab.snapshot.lab.name} has no roster`}
          actions={actions}
        >
          {roster
            ? 'Fix it in your editor: it is read again as soon as it is saved. The planner never writes it.'
            : ROSTER_WORDS}
          {errors.length === 0 ? null : (
            <div className={styles.problems}>
              <ProblemList problems={errors} onShow={show} />
            </div>
          )}
        </EmptyState>
      )
    }
  }
}

/** What a roster is, for a person who has none. */
const ROSTER_WORDS =
  'A roster, docs/models/queue.yaml below the lab, is a YAML list of the model servers that you want to run: for each an id, a model, a runtime, its memory and its port. The planner reads it and decides which machine runs what; it can propose one from the models on this machine.'

/** A lab that takes long to read says how far it is, and can be stopped. */
function Opening(): ReactNode {
  const planner = usePlanner()
  const reading = usePlannerState((state) => state.reading)
  if (reading === null) return <EmptyState title="Opening the lab…" />
  const percent = reading.share === null ? null : Math.floor(reading.share * 100)
  return (
    <EmptyState title="Opening the lab…" actions={<Button onClick={planner.lab.stopReading}>Stop</Button>}>
      {percent === null ? null : (
        <>
          <progress aria-label="Files read" value={percent} max={100} /> {percent} % of its files read
        </>
      )}
    </EmptyState>
  )
}
