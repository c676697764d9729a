import type { ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import type { FoundModelInfo, FoundModelList } from '../../shared/scan/scan-report.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { isScannable, listedModels, suggestedModels } from './scan-model.ts'
import styles from './scan.module.css'

interface FoundModelsProps {
  readonly found: FoundModelList
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
  readonly redistributable: boolean
  readonly onRedistributable: (redistributable: boolean) => void
  readonly node: boolean
  readonly onNode: (node: boolean) => void
}

/** What was found, to tick what becomes a manifest. */
export function FoundModels(props: FoundModelsProps): ReactNode {
  const { found, chosen, onChosen, redistributable, onRedistributable, node, onNode } = props
  const toggle = (id: string): void => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChosen(next)
  }
  return (
    <div className={styles.places}>
      <div className={styles.options}>
        <label className={styles.check}>
          <input type="checkbox" checked={node} onChange={(event) => onNode(event.target.checked)} />
          Also write this machine’s node facts
        </label>
        <label
          className={styles.check}
          title="Only if the models’ licences allow it: nodes may then fetch them from each other"
        >
          <input
            type="checkbox"
            checked={redistributable}
            onChange={(event) => onRedistributable(event.target.checked)}
          />
          Mark them redistributable (their licences allow handing them on)
        </label>
      </div>
      {found.models.length === 0 ? (
        <EmptyState title="No models found">Add the folders they lie in and look again.</EmptyState>
      ) : (
        <>
          <div className={styles.heading}>
            <h3>
              {found.models.length} {found.models.length === 1 ? 'model' : 'models'}
            </h3>
            <Button variant="link" onClick={() => onChosen(suggestedModels(found.models))}>
              What roles need
            </Button>
            <Button
              variant="link"
              onClick={() => onChosen(new Set(found.models.filter(isScannable).map(({ id }) => id)))}
            >
              All
            </Button>
            <Button variant="link" onClick={() => onChosen(new Set())}>
              None
            </Button>
          </div>
          <ul className={styles.models} aria-label="Found models">
            {listedModels(found.models).map((model) => (
              <FoundModel key={model.id} model={model} chosen={chosen.has(model.id)} onToggle={toggle} />
            ))}
          </ul>
        </>
      )}
      <Lines label="Not scannable" title="Cannot be scanned" lines={found.refused} />
      <Lines label="Passed over" title="Passed over" lines={found.passedOver} />
    </div>
  )
}

interface LinesProps {
  readonly label: string
  readonly title: string
  readonly lines: FoundModelList['refused']
}

/** What was not scanned, a line each; nothing where there is nothing. */
function Lines({ label, title, lines }: LinesProps): ReactNode {
  if (lines.length === 0) return null
  return (
    <section aria-label={label}>
      <h3 className={styles.heading}>{title}</h3>
      <ul>
        {lines.map(({ place, reason }, i) => (
          <li key={i} className={styles.refused}>
            <code>{place}</code>: {reason}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FoundModelProps {
  readonly model: FoundModelInfo
  readonly chosen: boolean
  readonly onToggle: (id: string) => void
}

function FoundModel({ model, chosen, onToggle }: FoundModelProps): ReactNode {
  const name = model.name ?? 'cannot be named'
  return (
    <li className={styles.model}>
      <input
        type="checkbox"
        aria-label={`Scan ${name}`}
        checked={chosen}
        disabled={!isScannable(model)}
        onChange={() => onToggle(model.id)}
      />
      <div className={styles.grow}>
        <div className={styles.name} title={name}>
          {name}
        </div>
        <div className={styles.where} title={model.place}>
          {model.place}
        </div>
        {model.missing.length === 0 ? null : (
          <div className={styles.warning}>Not whole: {model.missing.join('; ')}</div>
        )}
        {model.warnings.map((warning) => (
          <div key={warning} className={styles.warning}>
            {warning}
          </div>
        ))}
      </div>
      {model.known ? <Badge title="The lab has its manifest">known</Badge> : null}
      {model.roles.length === 0 ? (
        <Badge title="No role of the roster names it">no role</Badge>
      ) : (
        <Badge tone="blue" title={`serves ${model.roles.join(', ')}`}>
          {model.roles.length === 1 ? model.roles[0] : `${model.roles.length} roles`}
        </Badge>
      )}
      <span className={styles.figure}>{model.format}</span>
      <span className={styles.figure}>
        {model.shards} {model.shards === 1 ? 'shard' : 'shards'}
      </span>
      <span className={styles.size}>{formatBytes(BigInt(model.bytes))}</span>
    </li>
  )
}
