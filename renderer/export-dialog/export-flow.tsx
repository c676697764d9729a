import { useEffect, useState, type ReactNode } from 'react'
import type { ExportRequest } from '../../shared/host-api.ts'
import type { ExportPreview, ExportResult } from '../../shared/export/export-report.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import { scenarioToJson } from '../../shared/scenario/scenario-json.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import { rolesRunning } from '../../shared/live/adopt.ts'
import type { PlannerState } from '../store/planner-state.ts'
import { overlayText } from '../store/overlay-state.ts'
import { selectLive, selectPlan } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ExportPreviewView } from './export-preview-view.tsx'
import { ExportResultView } from './export-result-view.tsx'
import { ExportTarget } from './export-target.tsx'
import { documentNote, exportableRoles, type ExportWhat } from './export-model.ts'
import styles from './export-dialog.module.css'

type Step =
  | { readonly at: 'choose' }
  | { readonly at: 'preview'; readonly request: ExportRequest; readonly preview: ExportPreview }
  | { readonly at: 'result'; readonly result: ExportResult }

/** A plan is of a moment; a saved scenario is not. */
function judgedNow(scenario: Scenario, readAtSecs: number): Scenario {
  return { ...scenario, nowSecs: scenario.nowSecs ?? readAtSecs }
}

/** What runs now: as it is seen while the lab's servers are watched, else what is pinned as the baseline. */
function runsNow(state: PlannerState): ExportRequest['before'] {
  const live = selectLive(state)
  if (live !== null) return { running: [...rolesRunning(live)] }
  if (state.baseline === null) return undefined
  const { inputs } = state.baseline
  return { overlayText: inputs.overlay?.lines.text ?? '', scenario: scenarioToJson(inputs.scenario) }
}

/** Choose, look, write: three steps in one dialog. */
export function ExportFlow(): ReactNode {
  const planner = usePlanner()
  const plan = usePlannerState(selectPlan)
  const stale = usePlannerState((state) => state.overlay?.stale ?? false)
  const [what, setWhat] = useState<ExportWhat>('specs')
  const [format, setFormat] = useState<ExportRequest['format']>('json')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [folder, setFolder] = useState<PickedPath | null>(null)
  // Not known before the host has answered.
  const [remembered, setRemembered] = useState<PickedPath | null | undefined>(undefined)
  const [step, setStep] = useState<Step>({ at: 'choose' })
  const [busy, setBusy] = useState(false)
  const [force, setForce] = useState(false)
  const [error, setError] = useState<string | null>(null)

  useEffect(() => {
    void planner.client.call.exportFolder({}).then((result) => {
      const last = result.ok ? result.value : null
      setRemembered(last)
      setFolder((chosen) => chosen ?? last)
    })
  }, [planner])

  const roles = plan === null ? [] : exportableRoles(plan, what)
  const chosen = roles.filter((role) => !left.has(role))

  const preview = async (): Promise<void> => {
    const state = planner.store.getState()
    if (folder === null || state.overlay === null || state.lab.status !== 'open') return
    const before = what === 'runbook' ? runsNow(state) : undefined
    const request: ExportRequest = {
      folder: folder.token,
      what,
      format,
      roles: [...chosen],
      overlayText: overlayText(state.overlay),
      scenario: scenarioToJson(
        what === 'scenario' ? state.scenario : judgedNow(state.scenario, state.lab.readAtSecs),
      ),
      ...(before === undefined ? {} : { before }),
    }
    setBusy(true)
    setError(null)
    const result = await planner.client.call.previewExport(request)
    setBusy(false)
    if (result.ok) setStep({ at: 'preview', request, preview: result.value })
    else setError(result.error.message)
  }

  const run = async (request: ExportRequest, { files }: ExportPreview): Promise<void> => {
    setBusy(true)
    setError(null)
    const result = await planner.client.call.runExport({
      request,
      force,
      previewed: files.flatMap(({ fileName, state, found }) =>
        state === 'stale' ? [] : [{ fileName, found }],
      ),
    })
    setBusy(false)
    if (result.ok) setStep({ at: 'result', result: result.value })
    else setError(result.error.message)
  }

  const close = planner.view.closeDialog
  return (
    <Dialog
      wide
      reading={step.at === 'result'}
      title="Export"
      description="Choose what to export and where, look at what would change, then write it"
      onClose={close}
      footer={
        <>
          <span className={styles.error} role="alert">
            {stale && step.at === 'choose' ? 'The overlay has errors; fix it before exporting.' : error}
          </span>
          {step.at === 'choose' ? (
            <>
              <Button onClick={close}>Cancel</Button>
              <Button
                variant="primary"
                disabled={
                  busy || stale || folder === null || (documentNote(what) === null && chosen.length === 0)
                }
                onClick={() => void preview()}
              >
                Preview
              </Button>
            </>
          ) : step.at === 'preview' ? (
            <>
              <Button onClick={() => setStep({ at: 'choose' })}>Back</Button>
              <Button variant="primary" disabled={busy} onClick={() => void run(step.request, step.preview)}>
                {busy ? 'Writing…' : 'Write files'}
              </Button>
            </>
          ) : (
            <Button variant="primary" onClick={close}>
              Done
            </Button>
          )}
        </>
      }
    >
      {step.at === 'choose' ? (
        <ExportTarget
          what={what}
          onWhat={setWhat}
          format={format}
          onFormat={setFormat}
          roles={roles}
          left={left}
          onLeft={setLeft}
          folder={folder}
          remembered={remembered}
          onFolder={setFolder}
        />
      ) : step.at === 'preview' ? (
        <ExportPreviewView preview={step.preview} force={force} onForce={setForce} />
      ) : (
        <ExportResultView result={step.result} />
      )}
    </Dialog>
  )
}
