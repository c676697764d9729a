import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { DEFAULT_POLICY } from '../../shared/locality/types.ts'
import { scenarioChanges } from '../../shared/scenario/scenario.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Switch } from '../ui/switch.tsx'
import { BaselineControl } from './baseline-control.tsx'
import { LinkField } from './link-field.tsx'
import { GibField } from './gib-field.tsx'
import styles from './policy.module.css'

/** The scenario: changes show at once, touch no file, and stay marked until they are reset. */
export function PolicyBar(): ReactNode {
  const { scenario: actions, view } = usePlanner()
  const scenario = usePlannerState((state) => state.scenario)
  const { policy } = scenario
  const changes = scenarioChanges(scenario)
  return (
    <section className={styles.policy} aria-label="Policy">
      <Switch
        label="Allow weight transfer"
        checked={policy.allowWeightTransfer}
        onChange={(allowWeightTransfer) => actions.setPolicy({ allowWeightTransfer })}
        title="Weights may be fetched from another node (default: off)"
      />
      <GibField
        name="Ceiling"
        title="Largest transfer allowed, in GiB (2^30 bytes); empty means none"
        bytes={policy.maxBytes}
        whenEmpty={{ placeholder: 'none', bytes: null }}
        onChange={(maxBytes) => actions.setPolicy({ maxBytes })}
      />
      <GibField
        name="Headroom"
        title="Free space that must remain on the target, in GiB (2^30 bytes); empty means 1"
        bytes={policy.freeHeadroomBytes}
        whenEmpty={{ placeholder: '1', bytes: DEFAULT_POLICY.freeHeadroomBytes }}
        onChange={(bytes) =>
          actions.setPolicy({ freeHeadroomBytes: bytes ?? DEFAULT_POLICY.freeHeadroomBytes })
        }
      />
      <LinkField mbps={scenario.linkMbps} onChange={actions.setLinkRate} />
      <Switch
        label="Forbid copying weights"
        checked={scenario.sharingVeto}
        onChange={actions.setSharingVeto}
        title="Treat every model as not redistributable: the plan can forbid copying, it can never allow it"
      />
      <Switch
        label="Require fresh facts"
        checked={scenario.requireFreshFacts}
        onChange={actions.setRequireFreshFacts}
        title="Nodes whose facts are stale are ruled out"
      />
      <Button
        className={classes(styles.baseline, styles.suggest)}
        title="Nodes for all roles together, found by a solver"
        onClick={() => view.openDialog({ kind: 'suggest' })}
      >
        <Sparkles size={13} aria-hidden="true" />
        Suggest
      </Button>
      {changes.length === 0 ? null : (
        <>
          <span className={styles.whatif} title={changes.join(', ')}>
            Scenario: {changes.join(', ')}
          </span>
          <Button variant="link" onClick={actions.reset}>
            Reset
          </Button>
        </>
      )}
      <BaselineControl />
    </section>
  )
}
