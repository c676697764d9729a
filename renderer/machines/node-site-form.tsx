import { useState, type ReactNode } from 'react'
import { EMPTY_SITE, START_KINDS, type NodeSite } from '../../shared/node/node-site.ts'
import { siteFields, type SiteFields } from '../../shared/node/site-fields.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import styles from './machines.module.css'

interface NodeSiteFormProps {
  readonly nodeId: string
  /** What `fleet.yaml` has of it. */
  readonly site: NodeSite | null
  readonly fleet: string
  readonly onSave: (before: SiteFields, fields: SiteFields) => void
  readonly onCancel: () => void
}

/** How a node is reached and where it keeps things: the keys of `fleet.yaml` that gathering and run books use. */
export function NodeSiteForm({ nodeId, site, fleet, onSave, onCancel }: NodeSiteFormProps): ReactNode {
  const [before] = useState(() => siteFields(site ?? EMPTY_SITE))
  const [ssh, setSsh] = useState(before.ssh ?? '')
  const [roots, setRoots] = useState(before.roots.join('\n'))
  const [mount, setMount] = useState(before.mount ?? '')
  const [start, setStart] = useState<SiteFields['start']>(before.start)
  const [programs, setPrograms] = useState(
    Object.entries(before.programs)
      .map(([name, path]) => `${name}=${path}`)
      .join('\n'),
  )
  const save = (): void =>
    onSave(before, {
      ssh: ssh.trim() || null,
      roots: linesOf(roots),
      mount: mount.trim() || null,
      start,
      programs: Object.fromEntries(linesOf(programs).map(programOf)),
    })
  return (
    <form
      className={styles.site}
      aria-label={`Place of ${nodeId}`}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h3>{nodeId}</h3>
      <p className={styles.text}>Written into {fleet}, whose comments stay. Empty fields are left out.</p>
      <SiteLine label="ssh" hint="a host of your ssh configuration">
        <Field label="ssh" value={ssh} onChange={({ target }) => setSsh(target.value)} />
      </SiteLine>
      <SiteLine label="root" hint="folders with models, one a line; new models go into the first">
        <textarea
          aria-label="root"
          rows={2}
          value={roots}
          onChange={({ target }) => setRoots(target.value)}
        />
      </SiteLine>
      <SiteLine label="mount" hint="the mount point that the first folder must be on">
        <Field label="mount" value={mount} onChange={({ target }) => setMount(target.value)} />
      </SiteLine>
      <SiteLine label="start" hint="what a run book writes to start servers there">
        <select
          aria-label="start"
          value={start ?? ''}
          onChange={({ target }) => setStart(START_KINDS.find((kind) => kind === target.value) ?? null)}
        >
          <option value="">not said</option>
          {START_KINDS.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
      </SiteLine>
      <SiteLine label="programs" hint="NAME=PATH, one a line, such as llama-server=/usr/bin/llama-server">
        <textarea
          aria-label="programs"
          rows={2}
          value={programs}
          onChange={({ target }) => setPrograms(target.value)}
        />
      </SiteLine>
      <div className={styles.siteButtons}>
        <Button onClick={onCancel}>Back to the machines</Button>
        <Button variant="primary" type="submit">
          Write it
        </Button>
      </div>
    </form>
  )
}

function SiteLine(props: {
  readonly label: string
  readonly hint: string
  readonly children: ReactNode
}): ReactNode {
  const { label, hint, children } = props
  return (
    <div className={styles.siteLine}>
      <code>{label}</code>
      {children}
      <span className={styles.where} title={hint}>
        {hint}
      </span>
    </div>
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}

/** A line without `=` has no path, which the host then refuses with the reason. */
function programOf(line: string): [string, string] {
  const at = line.indexOf('=')
  return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}
