import { useState, type ReactNode } from 'react'
import type { FoundModelList } from '../../shared/scan/scan-report.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import { formatBytes } from '../../shared/bytes.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FoundModels } from './found-models.tsx'
import { ScanPlaces } from './scan-places.tsx'
import { ScanRun } from './scan-run.tsx'
import { suggestedModels, sumOfBytes } from './scan-model.ts'
import styles from './scan.module.css'

/** Making the facts a lab lacks: manifests of the models on this machine, and what this machine is. */
export function ScanDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'scan')
  return open ? <Scan /> : null
}

function Scan(): ReactNode {
  const planner = usePlanner()
  const report = usePlannerState((state) => state.scan)
  const [places, setPlaces] = useState<readonly PickedPath[]>([])
  const [usual, setUsual] = useState(true)
  const [found, setFound] = useState<FoundModelList | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [redistributable, setRedistributable] = useState(false)
  const [node, setNode] = useState(true)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const find = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    const result = await planner.client.call.findModels({ places: places.map(({ token }) => token), usual })
    setBusy(false)
    if (!result.ok) {
      setError(result.error.message)
      return
    }
    setFound(result.value)
    setChosen(suggestedModels(result.value.models))
  }
  const start = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    const result = await planner.client.call.startScan({ models: [...chosen], redistributable, node })
    setBusy(false)
    if (!result.ok) setError(result.error.message)
  }

  const close = planner.view.closeDialog
  const running = report !== null && report.state !== 'ended'
  return (
    <Dialog
      wide
      reading={report !== null}
      title="Scan models and this machine"
      description="Make manifests of models where they lie, and this machine’s facts"
      onClose={close}
      footer={
        <>
          <span className={styles.error} role="alert">
            {error}
          </span>
          {report !== null ? (
            running ? (
              <>
                <Button onClick={close}>Go on in the background</Button>
                <Button
                  variant="danger"
                  onClick={() => void planner.client.call.cancelScan({ scan: report.scan })}
                >
                  Cancel the scan
                </Button>
              </>
            ) : (
              <>
                <Button onClick={() => planner.store.setState({ scan: null })}>Scan more</Button>
                <Button variant="primary" onClick={close}>
                  Done
                </Button>
              </>
            )
          ) : found === null ? (
            <>
              <Button onClick={close}>Cancel</Button>
              <Button
                variant="primary"
                disabled={busy || (!usual && places.length === 0)}
                onClick={() => void find()}
              >
                {busy ? 'Looking…' : 'Look for models'}
              </Button>
            </>
          ) : (
            <>
              <Button onClick={() => setFound(null)}>Back</Button>
              <Button
                variant="primary"
                disabled={busy || (chosen.size === 0 && !node)}
                onClick={() => void start()}
              >
                {chosen.size === 0
                  ? 'Scan this machine'
                  : `Scan ${chosen.size} ${chosen.size === 1 ? 'model' : 'models'} (${formatBytes(sumOfBytes(found.models, chosen))})`}
              </Button>
            </>
          )}
        </>
      }
    >
      {report !== null ? (
        <ScanRun report={report} />
      ) : found === null ? (
        <ScanPlaces places={places} onPlaces={setPlaces} usual={usual} onUsual={setUsual} />
      ) : (
        <FoundModels
          found={found}
          chosen={chosen}
          onChosen={setChosen}
          redistributable={redistributable}
          onRedistributable={setRedistributable}
          node={node}
          onNode={setNode}
        />
      )}
    </Dialog>
  )
}
