import { useState, type ReactNode } from 'react'
import { isScenarioName, SCENARIO_NAME_RULE } from '../../shared/scenario/named-scenarios.ts'
import { selectCurrentScenario } from '../store/named-scenarios.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ScenarioTableDialog } from './scenario-table-dialog.tsx'
import styles from './scenarios.module.css'

/** The dialogs about scenarios that are kept beside the lab. */
export function ScenarioDialogs(): ReactNode {
  const dialog = usePlannerState((state) => state.dialog)
  if (dialog?.kind === 'name_scenario') return <NameScenario to={dialog.to} />
  if (dialog?.kind === 'delete_scenario') return <DeleteScenario />
  if (dialog?.kind === 'compare_scenarios') return <ScenarioTableDialog />
  return null
}

/** What each use of the dialog says. */
const WORDS = {
  save: {
    title: 'Save the scenario',
    description: 'A name for what is assumed now',
    action: 'Save',
    done: 'Saved as',
  },
  rename: {
    title: 'Rename the scenario',
    description: 'Another name for the scenario',
    action: 'Rename',
    done: 'Renamed to',
  },
} as const

function NameScenario({ to }: { readonly to: 'save' | 'rename' }): ReactNode {
  const { named, view } = usePlanner()
  const current = usePlannerState(selectCurrentScenario)
  const [name, setName] = useState(to === 'rename' ? (current?.name ?? '') : '')
  const [fault, setFault] = useState<string | null>(null)
  const words = WORDS[to]
  const isGood = isScenarioName(name) && !(to === 'rename' && name === current?.name)
  const run = async (): Promise<void> => {
    if (!isGood) {
      setFault(SCENARIO_NAME_RULE)
      return
    }
    const why = await (to === 'save' ? named.saveAs(name) : named.rename(name))
    if (why !== null) {
      setFault(why)
      return
    }
    view.closeDialog()
    view.toast('success', `${words.done} ${name}`)
  }
  return (
    <Dialog
      title={words.title}
      description={words.description}
      onClose={view.closeDialog}
      footer={
        <>
          <span className={styles.fault} role="alert">
            {fault}
          </span>
          <Button onClick={view.closeDialog}>Cancel</Button>
          <Button variant="primary" onClick={() => void run()}>
            {words.action}
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Field
          label="Name of the scenario"
          value={name}
          error={fault}
          onChange={(event) => {
            setName(event.target.value)
            setFault(null)
          }}
        />
        <p className={styles.where}>
          It is kept in <code>docs/models/scenarios/{name === '' ? 'NAME' : name}.yaml</code> of the lab, and{' '}
          <code>lab-planner plan --scenario {name === '' ? 'NAME' : name}</code> plans with it.
        </p>
      </form>
    </Dialog>
  )
}

function DeleteScenario(): ReactNode {
  const { named, view } = usePlanner()
  const current = usePlannerState(selectCurrentScenario)
  const [fault, setFault] = useState<string | null>(null)
  if (current === null) return null
  const run = async (): Promise<void> => {
    const why = await named.remove()
    setFault(why)
    if (why !== null) return
    view.closeDialog()
    view.toast('info', `Deleted the scenario ${current.name}; what it assumes is still on screen`)
  }
  return (
    <Dialog
      title="Delete the scenario"
      description={`Deletes the file of ${current.name}`}
      onClose={view.closeDialog}
      footer={
        <>
          <span className={styles.fault} role="alert">
            {fault}
          </span>
          <Button onClick={view.closeDialog}>Keep it</Button>
          <Button variant="primary" onClick={() => void run()}>
            Delete {current.name}
          </Button>
        </>
      }
    >
      <p>
        This deletes <code>docs/models/scenarios/{current.name}.yaml</code>. The plan on screen stays as it
        is, and can be saved under another name.
      </p>
    </Dialog>
  )
}
