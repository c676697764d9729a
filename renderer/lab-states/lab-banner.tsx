import type { ReactNode } from 'react'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import styles from './lab-states.module.css'

interface Banner {
  readonly text: string
  readonly action: BannerAction | null
  readonly other?: BannerAction
}

interface BannerAction {
  readonly label: string
  readonly run: () => void
}

/** One line under the policy when the lab on screen is not what one may think: a sample, stale, or without its facts. */
export function LabBanner(): ReactNode {
  const planner = usePlanner()
  const lab = usePlannerState((state) => (state.lab.status === 'open' ? state.lab : null))
  if (lab === null) return null
  const banner = ((): Banner | null => {
    const again = { label: 'Reload lab', run: () => void planner.lab.reload() }
    if (lab.snapshot.stale !== null) {
      return { text: `This is the last good reading of the lab: ${lab.snapshot.stale}.`, action: again }
    }
    if (lab.rosterStale !== null) {
      const roster = lab.snapshot.lab.files.find((file) => file.kind === 'roster')
      return {
        text: `The roster on disk cannot be read (${lab.rosterStale}); the last good one is shown.`,
        action: roster
          ? {
              label: 'Show the roster',
              run: () =>
                planner.view.openDialog({
                  kind: 'file',
                  file: roster.file,
                  line: firstErrorLine(lab.lab.problems, roster.file),
                }),
            }
          : again,
      }
    }
    if (lab.snapshot.origin === 'sample') {
      return {
        text: 'This is the sample lab: try everything, nothing of yours is touched.',
        action: { label: 'Make my own…', run: () => planner.view.openDialog({ kind: 'new_lab' }) },
        other: { label: 'Open my lab…', run: () => planner.view.openDialog({ kind: 'open_lab' }) },
      }
    }
    const scan = { label: 'Scan this machine…', run: () => planner.view.openDialog({ kind: 'scan' }) }
    if (lab.lab.manifests.length === 0) {
      return {
        text: 'The lab has no registry and no model manifests, so no model is known. The planner can make them from the weights on this machine.',
        action: scan,
      }
    }
    if (lab.lab.nodes.length === 0) {
      return {
        text: 'The lab has no node facts, so nothing can be placed. The planner can scan this machine; or describe nodes in a fleet.yaml.',
        action: scan,
      }
    }
    return null
  })()
  if (banner === null) return null
  return (
    <div className={styles.banner} role="status">
      <span className={styles.bannerText}>{banner.text}</span>
      {banner.other === undefined ? null : (
        <Button variant="link" onClick={banner.other.run}>
          {banner.other.label}
        </Button>
      )}
      {banner.action === null ? null : (
        <Button variant="link" onClick={banner.action.run}>
          {banner.action.label}
        </Button>
      )}
    </div>
  )
}

function firstErrorLine(
  problems: readonly {
    readonly file: string | null
    readonly range: { readonly start: { readonly line: number } } | null
  }[],
  file: string,
): number | null {
  return (
    problems.find((problem) => problem.file === file && problem.range !== null)?.range?.start.line ?? null
  )
}
