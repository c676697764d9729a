import { join } from 'node:path'
import { MAX_FILE_BYTES } from '../../shared/lab/lab-places.ts'
import { isScenarioName, SCENARIO_NAME_RULE } from '../../shared/scenario/named-scenarios.ts'
import { scenarioFromJson } from '../../shared/scenario/scenario-json.ts'
import { scenarioYamlText } from '../../shared/scenario/scenario-yaml.ts'
import { NO_LAB, failed } from './answers.ts'
import { realDisk } from './disk.ts'
import type { HostImplementation } from './dispatch.ts'
import { withFileLock } from './file-lock.ts'
import type { LabSession } from './lab-session.ts'
import { readTextFile } from './read-text-file.ts'
import { saveOverlay, type OverlaySave } from './save-overlay.ts'
import { diskFault } from './system-error.ts'

type ScenarioCalls = Pick<HostImplementation, 'saveScenario' | 'renameScenario' | 'deleteScenario'>

type Failure = ReturnType<typeof failed>

/** Where a named scenario of the open lab is, or would be. */
interface ScenarioPlace {
  readonly path: string
  /** Writes there, if the file still has the hash `baseHash`; null: if there is none. */
  readonly save: (text: string, baseHash: string | null) => Promise<OverlaySave>
}

/** The scenarios that are kept beside the lab: files that the host makes itself, by names and never by paths. */
export function scenarioCalls(desk: LabSession): ScenarioCalls {
  const placeOf = (name: string): ScenarioPlace | Failure => {
    const lab = desk.current()
    if (!lab) return NO_LAB
    const { paths, readOnly } = lab.source
    if (readOnly !== null) return failed('io', `Cannot save. ${readOnly}`)
    if (!isScenarioName(name)) return failed('bad_arguments', SCENARIO_NAME_RULE)
    const path = join(paths.scenarios.path, `${name}.yaml`)
    return {
      path,
      save: (text, baseHash) =>
        saveOverlay(path, text, baseHash, { roster: paths.roster.path, lab: paths.lab }),
    }
  }
  return {
    saveScenario: async ({ name, scenario, baseHash }) => {
      const place = placeOf(name)
      if ('ok' in place) return place
      const read = baseHash === null ? null : await readTextFile(place.path, MAX_FILE_BYTES.scenario)
      // Its comments stay where the file still is the one that was read; else saving says that it is another.
      const before = read?.ok === true && read.hash === baseHash ? read.text : null
      return answerOf(await place.save(scenarioYamlText(scenarioFromJson(scenario), before), baseHash))
    },
    renameScenario: async ({ name, to, baseHash }) => {
      const [from, target] = [placeOf(name), placeOf(to)]
      if ('ok' in from) return from
      if ('ok' in target) return target
      const read = await readTextFile(from.path, MAX_FILE_BYTES.scenario)
      if (!read.ok) return failed('io', `Cannot rename: ${read.reason}.`)
      if (read.hash !== baseHash)
        return { ok: true, value: { kind: 'conflict', disk: { text: read.text, hash: read.hash } } }
      // The new file is made first, and only where there is none: at no moment is the scenario in neither.
      const saved = await target.save(read.text, null)
      if (saved.kind === 'failed') return failed('io', saved.message)
      if (saved.kind === 'conflict')
        return failed('io', `There is a scenario named ${to} already. Choose another name.`)
      const fault = await remove(from.path, baseHash)
      return fault ?? { ok: true, value: saved }
    },
    deleteScenario: async ({ name, baseHash }) => {
      const place = placeOf(name)
      if ('ok' in place) return place
      return (await remove(place.path, baseHash)) ?? { ok: true, value: null }
    },
  }
}

function answerOf(saved: OverlaySave) {
  return saved.kind === 'failed' ? failed('io', saved.message) : { ok: true as const, value: saved }
}

const CHANGED = failed(
  'io',
  'The scenario’s file was changed by another program meanwhile. Look at it again before you remove it.',
)

/** Removes the file if it still has the hash `baseHash`; null when that is done. */
async function remove(path: string, baseHash: string): Promise<Failure | null> {
  const done = await withFileLock(path, realDisk, async (): Promise<Failure | null> => {
    const read = await readTextFile(path, MAX_FILE_BYTES.scenario)
    if (!read.ok) return failed('io', `Cannot delete: ${read.reason}.`)
    if (read.hash !== baseHash) return CHANGED
    try {
      await realDisk.unlink(path)
      return null
    } catch (error) {
      return failed('io', `Cannot delete: ${diskFault(error).reason}.`)
    }
  })
  return done !== null && 'message' in done ? failed('io', done.message) : done
}
