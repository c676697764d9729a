import { describe, expect, test } from 'vitest'
import { mergeNodes } from '../../../../shared/node/merge-nodes.ts'
import { EMPTY_SITE } from '../../../../shared/node/node-site.ts'
import { readFleet } from '../../../../shared/node/read-fleet.ts'
import { briefs, valueOf } from '../../../support/problems.ts'

const read = (text: string): ReturnType<typeof readFleet> => readFleet(text, 'fleet.yaml')
const siteOf = (keys: string) => valueOf(read(`nodes: [{id: a, ${keys}}]`))[0]?.site

describe('the site of a node in fleet.yaml', () => {
  test('is everything that is written of it', () => {
    const text = `nodes:
  - id: gpu-box
    ssh: gpu-box
    root: /srv/models/
    mount: /srv
    start: llama-swap
    programs: {llama-server: /usr/local/bin/llama-server, mlx_lm.server: /opt/mlx/bin/mlx_lm.server}
    url: http://gpu-box:8080/
    key_env: GPU_BOX_KEY
    link_mbps: 1000
`
    expect(valueOf(read(text))[0]).toEqual({
      nodeId: 'gpu-box',
      models: new Map(),
      freeBytes: null,
      eligible: null,
      linkMbps: 1000,
      site: {
        ssh: 'gpu-box',
        roots: ['/srv/models'],
        mount: '/srv',
        start: 'llama-swap',
        programs: new Map([
          ['llama-server', '/usr/local/bin/llama-server'],
          ['mlx_lm.server', '/opt/mlx/bin/mlx_lm.server'],
        ]),
        urls: ['http://gpu-box:8080'],
        keyEnv: 'GPU_BOX_KEY',
      },
    })
  })

  test('is absent where nothing of it is written', () => {
    expect(valueOf(read('nodes: [{id: a, free_gib: 3}]'))[0]).not.toHaveProperty('site')
  })

  test('takes one value or a list of folders and addresses', () => {
    expect(siteOf('root: [/a, "/b c"], url: ["https://[::1]:8080/v1", http://b]')).toEqual({
      ...EMPTY_SITE,
      roots: ['/a', '/b c'],
      urls: ['https://[::1]:8080/v1', 'http://b'],
    })
  })

  test('is unknown where null is written', () => {
    expect(siteOf('ssh: null, root: ~, mount: ')).toEqual(EMPTY_SITE)
  })

  test.each(['-oProxyCommand=x', 'a b', 'a;b', '$(x)', 'me@-x', ''])('refuses the ssh host %j', (host) => {
    expect(briefs(read(`nodes: [{id: a, ssh: "${host}"}]`))[0]).toContain('a host of your ssh configuration')
  })

  test.each(['models', '~/models', '/a/../b', '/a/./b', '"/a\\nb"', '[[/a]]'])(
    'refuses the folder %s',
    (path) => {
      expect(briefs(read(`nodes: [{id: a, root: ${path}}]`))[0]).toContain('must be an absolute path')
    },
  )

  test.each([
    'ftp://a',
    'http://me@a',
    'http://me:pw@a',
    'http://a?key=1',
    'http://a#x',
    'http://a:0',
    'http://a:70000',
    'gpu-box:8080',
    'http://',
  ])('refuses the address %s', (url) => {
    expect(briefs(read(`nodes: [{id: a, url: "${url}"}]`))[0]).toContain('must be an http or https address')
  })

  test.each(['a b', '1KEY', 'sk-123', '$KEY'])('refuses %j as the name of a variable', (name) => {
    expect(briefs(read(`nodes: [{id: a, key_env: "${name}"}]`))[0]).toContain(
      'the name of an environment variable',
    )
  })

  test('refuses a mount point that the first folder is not on', () => {
    expect(briefs(read('nodes: [{id: a, root: /srv2/m, mount: /srv}]'))).toEqual([
      '1:39 fleet-bad-value `mount` must be the mount point that `root` is on: /srv2/m is not inside of /srv',
    ])
  })

  test('refuses a kind of start that is not known, and relative programs', () => {
    expect(
      briefs(read('nodes: [{id: a, start: docker, programs: {llama-server: bin/x, "a b": /x}}]')),
    ).toEqual([
      '1:24 fleet-bad-value `start` must be one of llama-swap, models-ini, systemd, launchd, kubernetes, none, not docker',
      '1:57 fleet-bad-value this must be an absolute path without . and .. in it, such as /srv/models, not bin/x',
      `1:64 fleet-bad-value a program's name is letters, digits and . _ + -, not "a b"`,
    ])
  })

  test('of two declarations, the later counts where it says something', () => {
    const [a] = valueOf(read('nodes: [{id: a, ssh: one, root: /a, programs: {x: /x}}]'))
    const [b] = valueOf(read('nodes: [{id: a, ssh: two, programs: {y: /y}}]'))
    if (a === undefined || b === undefined) throw new Error('both declare a node')
    const merged = mergeNodes([], [{ file: 'f', value: [a] }], [b])
    expect(merged.nodes[0]?.declared?.site).toEqual({
      ...EMPTY_SITE,
      ssh: 'two',
      roots: ['/a'],
      programs: new Map([
        ['x', '/x'],
        ['y', '/y'],
      ]),
    })
  })
})
