import { expect, test } from 'vitest'
import { addFleetNode, fleetText, setFleetKey, type FleetEdit } from '../../../../shared/node/edit-fleet.ts'

function textOf(edit: FleetEdit): string {
  if (!edit.ok) throw new Error(edit.reason)
  return edit.text
}

const FLEET = `# my lab
nodes:
  - id: mac-studio   # the loud one
    free_gib: 200
    # what it holds
    models: {A: complete}

  # under the desk
  - id: gpu-box
    programs:
      llama-server: /usr/bin/llama-server   # by hand
# the end
`

test('a node is added behind the last one, and every comment stays where it is', () => {
  const text = textOf(addFleetNode(FLEET, 'pi', [['ssh', 'pi.local']]))
  expect(text).toBe(FLEET.replace('# the end', '  - id: pi\n    ssh: pi.local\n# the end'))
})

test('a key is added behind the others of its node, or takes the place of its value', () => {
  const added = textOf(setFleetKey(FLEET, 'gpu-box', ['link_mbps', '940']))
  expect(added).toBe(FLEET.replace('# the end', '    link_mbps: 940\n# the end'))
  const inner = textOf(setFleetKey(FLEET, 'mac-studio', ['ssh', 'studio']))
  expect(inner).toBe(FLEET.replace('complete}\n', 'complete}\n    ssh: studio\n'))
  const changed = textOf(setFleetKey(FLEET, 'mac-studio', ['free_gib', '12.5']))
  expect(changed).toBe(FLEET.replace('200', '12.5'))
})

test('a node that is not there is added with the key, and a file that is empty gets its list', () => {
  expect(textOf(setFleetKey('', 'a', ['link_mbps', '100']))).toBe('nodes:\n  - id: a\n    link_mbps: 100\n')
  expect(textOf(addFleetNode('nodes:\n', 'a', []))).toBe('nodes:\n  - id: a\n')
  expect(textOf(addFleetNode('nodes: # none yet', 'a', []))).toBe('nodes: # none yet\n  - id: a\n')
  expect(textOf(addFleetNode('# nothing', 'a', []))).toBe('# nothing\nnodes:\n  - id: a\n')
})

test('flow collections, other indents and CRLF are kept as they are written', () => {
  expect(textOf(addFleetNode('nodes: [{id: a}]\n', 'b', [['ssh', 'b']]))).toBe(
    'nodes: [{id: a}, {id: b, ssh: b}]\n',
  )
  expect(textOf(setFleetKey('nodes: [{id: a}]\n', 'a', ['ssh', 'b']))).toBe('nodes: [{id: a, ssh: b}]\n')
  expect(textOf(addFleetNode('nodes:\r\n- id: a\r\n', 'b', [['ssh', 'b']]))).toBe(
    'nodes:\r\n- id: a\r\n- id: b\r\n  ssh: b\r\n',
  )
  expect(textOf(setFleetKey('nodes:\n- id: a\n- id: c', 'a', ['ssh', 'b']))).toBe(
    'nodes:\n- id: a\n  ssh: b\n- id: c',
  )
})

test('a value over several lines without comments gives way to one in a line', () => {
  expect(
    textOf(setFleetKey('nodes:\n- id: a\n  root:\n  - /x\n  - /z # two\n- id: b\n', 'a', ['root', '/y'])),
  ).toBe('nodes:\n- id: a\n  root: /y # two\n- id: b\n')
})

test('what cannot be edited safely is refused with the lines to add', () => {
  const faulty = addFleetNode('nodes: [', 'a', [['ssh', 'a']])
  expect(faulty).toMatchObject({ ok: false, lines: '  - id: a\n    ssh: a' })
  expect(setFleetKey('nodes:\n- id: a\n  root:\n  - /x # one\n  - /z\n', 'a', ['root', '/y']).ok).toBe(false)
  expect(addFleetNode('nodes: {a: b}\n', 'a', []).ok).toBe(false)
  expect(setFleetKey('nodes:\n- &n {id: a}\n', 'a', ['ssh', 'x']).ok).toBe(true)
})

test('values that YAML would take for something else are quoted', () => {
  expect(fleetText('gpu-box')).toBe('gpu-box')
  expect(fleetText('/srv/my models')).toBe("'/srv/my models'")
  expect(fleetText('10')).toBe("'10'")
  expect(fleetText('no')).toBe("'no'")
  expect(fleetText("it's")).toBe("'it''s'")
})
