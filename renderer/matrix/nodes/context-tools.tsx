import { Slider } from 'radix-ui'
import { useMemo, type ReactNode } from 'react'
import { formatBytes } from '../../../shared/bytes.ts'
import { contextSteps } from '../../../shared/memory/context-steps.ts'
import { memoryNeed } from '../../../shared/memory/memory-need.ts'
import { formatTokens } from '../../../shared/memory/memory-words.ts'
import type { ModelShape } from '../../../shared/memory/shape.ts'
import { roleSetting } from '../../../shared/plan/role-memory.ts'
import type { LabPlan, RolePlan } from '../../../shared/plan/types.ts'
import { selectInputs, selectRole } from '../../store/selectors.ts'
import { usePlanner, usePlannerState } from '../../store/use-planner.ts'
import { Button } from '../../ui/button.tsx'
import { AllContexts } from './all-contexts.tsx'
import styles from './context-tools.module.css'

/** The context of the selected role, planned with at every step, and the largest one for all roles. */
export function ContextTools({ plan }: { readonly plan: LabPlan }): ReactNode {
  const role = usePlannerState(selectRole)
  const inputs = usePlannerState(selectInputs)
  if (role === null || inputs === null) return null
  const shape = role.manifest === null ? undefined : inputs.lab.shapes.get(role.manifest.packageId)?.shape
  return (
    <div className={styles.row}>
      {shape === undefined || shape.caches.kind === 'unknown' || shape.weightsBytes === null ? (
        <p className={styles.note}>
          What a context of <b>{role.role}</b> takes is unknown: scan its model where its files are.
        </p>
      ) : (
        <RoleContext role={role} shape={shape} />
      )}
      <AllContexts inputs={inputs} plan={plan} />
    </div>
  )
}

interface RoleContextProps {
  readonly role: RolePlan
  readonly shape: ModelShape
}

function RoleContext({ role, shape }: RoleContextProps): ReactNode {
  const { scenario } = usePlanner()
  // What is wanted, which the plan may not have come to yet: the thumb stays under the hand.
  const wanted = usePlannerState((state) => state.scenario)
  const id = role.role
  const setting = roleSetting(role.imported.spec, shape, wanted)
  const steps = useMemo(() => contextSteps(shape.trainedContext, setting.context), [shape, setting.context])
  const bytes = formatBytes(memoryNeed(shape, setting).runBytes)
  const tokens = `${formatTokens(setting.context)} tokens`
  const said = role.imported.entry.ramBytes
  return (
    <>
      <span className={styles.name} title={`Context of ${id}`}>
        Context of <b>{id}</b>
      </span>
      <Slider.Root
        className={styles.slider}
        min={0}
        max={steps.length - 1}
        value={[steps.indexOf(setting.context)]}
        onValueChange={([step]) => {
          const context = steps[step ?? 0]
          if (context !== undefined) scenario.planContexts(new Map([[id, context]]))
        }}
      >
        <Slider.Track className={styles.track}>
          <Slider.Range className={styles.range} />
        </Slider.Track>
        <Slider.Thumb
          className={styles.thumb}
          aria-label={`Context of ${id}`}
          aria-valuetext={`${tokens}, ${bytes}`}
        />
      </Slider.Root>
      <span className={styles.figure}>
        {tokens} · {bytes}
      </span>
      {wanted.computedMemory.has(id) ? (
        <Button
          variant="link"
          title={said === null ? undefined : `The roster says ${formatBytes(said)}`}
          onClick={() => scenario.forgetContext(id)}
        >
          Back to ram_gb
        </Button>
      ) : (
        <span className={styles.note} title="The role is planned with what the roster says">
          ram_gb{said === null ? '' : ` ${formatBytes(said)}`}
        </span>
      )}
    </>
  )
}
