import { useState, type ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import { readScenarioFile } from '../../shared/scenario/scenario-file.ts'
import type { Problem } from '../../shared/problem.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FolderBrowser } from '../ui/folder-browser.tsx'
import { ProblemList } from '../ui/problem-list.tsx'
import styles from './open-lab.module.css'

/** Choosing a saved scenario; it takes the place of the one on screen, which is one undo away. */
export function OpenScenarioDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'open_scenario')
  return open ? <OpenScenario /> : null
}

function OpenScenario(): ReactNode {
  const planner = usePlanner()
  const native = usePlannerState((state) => state.host?.nativeDialogs ?? false)
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const read = async ({ token, label }: PickedPath): Promise<void> => {
    const picked = await planner.client.call.readPicked({ token })
    if (!picked.ok) {
      planner.view.tellError(picked.error)
      return
    }
    const scenario = readScenarioFile(picked.value.text, label)
    if (!scenario.ok) {
      setProblems(scenario.problems)
      return
    }
    planner.scenario.apply(scenario.value)
    planner.view.closeDialog()
    planner.view.toast('success', `Planning with ${fileName(label)}`)
  }
  const pick = async (): Promise<void> => {
    const result = await planner.client.call.pickFile({ purpose: 'open_scenario' })
    if (!result.ok) planner.view.tellError(result.error)
    else if (result.value !== null) await read(result.value)
  }
  return (
    <Dialog
      title="Open a saved scenario"
      description="Choose a scenario file"
      onClose={planner.view.closeDialog}
      footer={
        <>
          <Button onClick={planner.view.closeDialog}>Cancel</Button>
          {native ? (
            <Button variant="primary" onClick={() => void pick()}>
              Choose a file…
            </Button>
          ) : null}
        </>
      }
    >
      <p className={styles.text}>
        A scenario file (<code>scenario.json</code>) as Export writes it, or as the command line takes it with{' '}
        <code>--scenario</code>.
      </p>
      {native ? null : (
        <FolderBrowser client={planner.client} onFolder={ignoreFolder} onFile={(file) => void read(file)} />
      )}
      {problems.length === 0 ? null : (
        <div role="alert">
          <ProblemList problems={problems} onShow={null} />
        </div>
      )}
    </Dialog>
  )
}

function ignoreFolder(): void {
  // Only files are opened here.
}
