import { useState, type ReactNode } from 'react'
import type { RecentLab } from '../../shared/host-api.ts'
import { showKeys } from '../store/shortcuts.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Menu, type MenuEntry } from '../ui/menu.tsx'

/** Opening labs: from disk, the sample, and those opened before. */
export function LabMenu({ trigger }: { readonly trigger: ReactNode }): ReactNode {
  const planner = usePlanner()
  const isMac = usePlannerState((state) => state.host?.platform === 'mac')
  const [recent, setRecent] = useState<readonly RecentLab[]>([])
  const load = async (open: boolean): Promise<void> => {
    if (!open) return
    const result = await planner.client.call.recentLabs({})
    if (result.ok) setRecent(result.value)
  }
  const entries: MenuEntry[] = [
    {
      kind: 'item',
      label: 'Open lab…',
      hint: showKeys('Mod+O', isMac),
      onSelect: () => planner.view.openDialog({ kind: 'open_lab' }),
    },
    { kind: 'item', label: 'Open the sample lab', onSelect: () => planner.lab.open({ to: 'open_sample' }) },
    {
      kind: 'item',
      label: 'Reload lab',
      hint: showKeys('Mod+Shift+R', isMac),
      onSelect: () => void planner.lab.reload(),
    },
    {
      kind: 'item',
      label: 'Scan models and this machine…',
      onSelect: () => planner.view.openDialog({ kind: 'scan' }),
    },
    {
      kind: 'item',
      label: 'Gather the lab’s machines…',
      onSelect: () => planner.view.openDialog({ kind: 'machines' }),
    },
    { kind: 'item', label: 'New lab…', onSelect: () => planner.view.openDialog({ kind: 'new_lab' }) },
    ...(recent.length === 0
      ? []
      : [{ kind: 'separator' } as const, { kind: 'heading', label: 'Recent' } as const]),
    ...recent.map(({ token, label, missing }): MenuEntry => ({
      kind: 'item',
      label,
      hint: missing ? 'not there' : undefined,
      disabled: missing,
      onSelect: () => planner.lab.open({ to: 'open', token, label }),
    })),
  ]
  return <Menu trigger={trigger} entries={entries} onOpenChange={(open) => void load(open)} />
}
