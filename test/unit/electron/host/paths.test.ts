import { describe, expect, test } from 'vitest'
import { DEFAULT_LAB, labPathsByConvention, shortenHome } from '../../../../electron/host/paths.ts'

const around = { cwd: '/srv', home: '/home/ana' }

describe('labPathsByConvention', () => {
  test('finds everything at its default place, and names it with the home folder as ~', () => {
    const { lab, roster, manifests, fleet } = labPathsByConvention(DEFAULT_LAB, {}, around)
    expect(lab).toEqual({ path: '/home/ana/llm', shown: '~/llm', given: true })
    expect(roster).toEqual({
      path: '/home/ana/llm/docs/models/queue.yaml',
      shown: '~/llm/docs/models/queue.yaml',
      given: false,
    })
    expect(manifests.path).toBe('/home/ana/llm/docs/models/manifests')
    expect(fleet.path).toBe('/home/ana/llm/docs/models/fleet.yaml')
  })

  test('names relative places as they were given', () => {
    const { overlay, nodes } = labPathsByConvention('sample', { nodes: '../facts' }, around)
    expect(overlay).toEqual({
      path: '/srv/sample/docs/models/overlay.yaml',
      shown: 'sample/docs/models/overlay.yaml',
      given: false,
    })
    expect(nodes).toEqual({ path: '/facts', shown: '../facts', given: true })
  })

  test('expands ~ in given places, but not the home of other people', () => {
    const given = { roster: '~/q.yaml', registry: '~', fleet: '~bob/f.yaml' }
    const paths = labPathsByConvention('lab', given, around)
    expect(paths.roster).toEqual({ path: '/home/ana/q.yaml', shown: '~/q.yaml', given: true })
    expect(paths.registry.path).toBe('/home/ana')
    expect(paths.fleet.path).toBe('/srv/~bob/f.yaml')
  })

  test('takes - for standard input in a file’s place and for a name in a folder’s', () => {
    const paths = labPathsByConvention('lab', { roster: '-', nodes: '-' }, around)
    expect(paths.roster).toEqual({ path: null, shown: '<stdin>', given: true })
    expect(paths.nodes.path).toBe('/srv/-')
  })
})

describe('shortenHome', () => {
  test('shortens paths in the home folder only', () => {
    expect(shortenHome('/home/ana', '/home/ana')).toBe('~')
    expect(shortenHome('/home/ana/x', '/home/ana')).toBe('~/x')
    expect(shortenHome('/home/anabel/x', '/home/ana')).toBe('/home/anabel/x')
    expect(shortenHome('/etc/x', '/')).toBe('/etc/x')
  })
})
