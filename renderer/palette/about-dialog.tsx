import { useEffect, useState, type ReactNode } from 'react'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Lines } from './file-view.tsx'

/** What this program is, and the licenses of the libraries in it. */
export function AboutDialog(): ReactNode {
  const planner = usePlanner()
  const version = usePlannerState((state) => state.host?.version ?? '')
  const [notices, setNotices] = useState<{ readonly text: string } | { readonly error: string } | null>(null)
  useEffect(() => {
    let isCurrent = true
    void planner.client.call.notices({}).then((result) => {
      if (isCurrent) setNotices(result.ok ? result.value : { error: result.error.message })
    })
    return () => {
      isCurrent = false
    }
  }, [planner])
  return (
    <Dialog
      wide
      title={`Lab Planner ${version}`}
      description="The libraries that the program contains, with their licenses"
      onClose={planner.view.closeDialog}
      footer={<Button onClick={planner.view.closeDialog}>Done</Button>}
    >
      {notices !== null && 'text' in notices ? (
        <Lines label="Licenses" text={notices.text} line={null} />
      ) : (
        <EmptyState title={notices?.error ?? 'Fetching the licenses…'} />
      )}
    </Dialog>
  )
}
