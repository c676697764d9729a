import { z } from 'zod'
import { START_KINDS, type NodeSite } from './node-site.ts'

const text = z.string().max(1024)

/** What a person may write of how a node is reached and where it keeps things; empty is unwritten. */
export const siteFieldsSchema = z.strictObject({
  ssh: text.nullable(),
  roots: z.array(text).max(16),
  mount: text.nullable(),
  start: z.enum(START_KINDS).nullable(),
  programs: z.record(z.string().max(64), text),
})
export type SiteFields = z.output<typeof siteFieldsSchema>

/** The fields of `site` as they are edited. */
export function siteFields({ ssh, roots, mount, start, programs }: NodeSite): SiteFields {
  return { ssh, roots: [...roots], mount, start, programs: Object.fromEntries(programs) }
}
