import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editSite, siteFault } from '../../../../shared/node/edit-site.ts'
import { EMPTY_SITE, START_KINDS } from '../../../../shared/node/node-site.ts'
import { readFleet } from '../../../../shared/node/read-fleet.ts'
import { siteFields, type SiteFields } from '../../../../shared/node/site-fields.ts'

const NOTHING: SiteFields = siteFields(EMPTY_SITE)

const FLEET = `# my lab
nodes:
  # the loud one
  - id: studio
    ssh: studio   # over the cable
    root: [/srv/models, /data/models]
    link_mbps: 940
    programs:
      llama-server: /opt/llama/llama-server
  - id: pi
`

const STUDIO: SiteFields = {
  ...NOTHING,
  ssh: 'studio',
  roots: ['/srv/models', '/data/models'],
  programs: { 'llama-server': '/opt/llama/llama-server' },
}

function edited(text: string, node: string, fields: SiteFields): string {
  const edit = editSite(text, node, fields)
  if (!edit.ok) throw new Error(`${edit.reason}\n${edit.lines}`)
  return edit.text
}

test('only what differs is written; comments and the other keys stay', () => {
  expect(edited(FLEET, 'studio', STUDIO)).toBe(FLEET)
  expect(edited(FLEET, 'studio', { ...STUDIO, ssh: 'me@studio', mount: '/srv' })).toBe(
    FLEET.replace('ssh: studio', 'ssh: me@studio').replace(
      'llama/llama-server\n',
      'llama/llama-server\n    mount: /srv\n',
    ),
  )
  expect(edited(FLEET, 'pi', { ...NOTHING, start: 'systemd' })).toBe(`${FLEET}    start: systemd\n`)
})

test('what is emptied is taken out, and lists and programs are written in one line', () => {
  const text = edited(FLEET, 'studio', { ...STUDIO, roots: [], programs: {} })
  expect(text).toBe(
    FLEET.replace('    root: [/srv/models, /data/models]\n', '').replace(
      '    programs:\n      llama-server: /opt/llama/llama-server\n',
      '',
    ),
  )
  expect(edited(FLEET, 'studio', { ...STUDIO, programs: { b3sum: '/usr/bin/b3sum' } })).toContain(
    '    programs: {b3sum: /usr/bin/b3sum}\n',
  )
})

test('a value with comments in it is left, with the lines to write by hand', () => {
  const commented = FLEET.replace(
    'llama/llama-server\n',
    'llama/llama-server   # built here\n      b3sum: /usr/bin/b3sum\n',
  )
  expect(editSite(commented, 'studio', { ...STUDIO, programs: { a: '/a' } })).toMatchObject({
    ok: false,
    lines: '  - id: studio\n    programs: {a: /a}',
  })
})

test('what cannot be right is said before anything is written', () => {
  expect(siteFault({ ...NOTHING, ssh: '-oProxyCommand=x' })).toContain('`ssh` must be a host')
  expect(siteFault({ ...NOTHING, roots: ['models'] })).toContain('absolute path')
  expect(siteFault({ ...NOTHING, roots: ['/srv/m'], mount: '/data' })).toContain(
    '`mount` must be the mount point',
  )
  expect(siteFault({ ...NOTHING, programs: { 'llama-server': '' } })).toContain('absolute path')
  expect(siteFault(STUDIO)).toBeNull()
})

test('what is written reads back as it was given, for any fields that are right, and all other nodes stay', () => {
  const path = fc
    .array(fc.stringMatching(/^[A-Za-z0-9 _'",:#{}[\]&*!%@-]{1,8}$/), { minLength: 1, maxLength: 3 })
    .map((parts) => `/${parts.join('/')}`)
    .filter((each) => siteFault({ ...NOTHING, roots: [each] }) === null)
  const fields = fc.record({
    ssh: fc.option(fc.constantFrom('gpu-box', 'me@gpu-box', '10.0.0.2', 'no')),
    roots: fc.uniqueArray(path, { maxLength: 3 }),
    mount: fc.constant(null),
    start: fc.option(fc.constantFrom(...START_KINDS)),
    programs: fc.dictionary(fc.constantFrom('llama-server', 'b3sum', 'on'), path, { maxKeys: 2 }),
  })
  fc.assert(
    fc.property(fields, fields, (first, second) => {
      let text = FLEET
      for (const next of [first, second]) {
        text = edited(text, 'studio', next)
        const read = readFleet(text, '')
        if (!read.ok) throw new Error('it has errors')
        const [studio, pi] = read.value
        expect(siteFields(studio?.site ?? EMPTY_SITE)).toEqual({
          ...next,
          roots: next.roots.map((root) => root.replace(/\/+$/, '')),
        })
        expect(studio?.linkMbps).toBe(940)
        expect(pi?.nodeId).toBe('pi')
      }
    }),
    { numRuns: 200 },
  )
})
