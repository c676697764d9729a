import type { Problem, Severity } from '../../shared/problem.ts'
import type { LabPaths, LabPlace } from './paths.ts'

/**
 * What it means that the places in `absent` are empty: each is said, and how bad it is depends on whether
 * another place could hold the same (docs/formats.md, "Where a lab keeps them").
 */
export function absenceProblems(paths: LabPaths, absent: ReadonlySet<LabPlace>): readonly Problem[] {
  const problems: Problem[] = []
  const say = (severity: Severity, place: LabPlace, message: string): void => {
    problems.push({ severity, code: 'file-missing', message, file: paths[place].shown, range: null })
  }
  if (absent.has('roster')) say('error', 'roster', 'There is no roster here. Put one here, or name another.')
  if (absent.has('overlay')) {
    say('info', 'overlay', 'There is no overlay: the defaults hold. The first saved edit makes the file.')
  }

  if (absent.has('registry') && absent.has('manifests')) {
    const instead = `nor a folder of model manifests (${paths.manifests.shown})`
    say('warning', 'registry', `There is no model registry here, ${instead}. Add one: no role has any.`)
  } else if (absent.has('registry')) {
    say('info', 'registry', 'There is no model registry: the folder of model manifests is all there is.')
  } else if (absent.has('manifests')) {
    say('info', 'manifests', 'There is no folder of model manifests: the model registry is all there is.')
  }

  if (absent.has('nodes') && absent.has('fleet')) {
    const instead = `nor fleet notes (${paths.fleet.shown})`
    say('warning', 'nodes', `There is no folder of node facts here, ${instead}. Add one: no node is known.`)
  } else if (absent.has('nodes')) {
    say('info', 'nodes', 'There is no folder of node facts: the fleet notes are all there is.')
  } else if (absent.has('fleet')) {
    say('info', 'fleet', 'There are no fleet notes: the node facts are all there is.')
  }
  return problems
}
