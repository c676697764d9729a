import { describe, expect, test } from 'vitest'
import { labArgument, ownArguments } from '../../../electron/launch-arguments.ts'

describe('labArgument', () => {
  test('takes --lab in both forms and a bare path, relative to the caller’s folder', () => {
    expect(labArgument(['--lab', 'my lab'], '/home/ada')).toBe('/home/ada/my lab')
    expect(labArgument(['--lab=/data/lab'], '/home/ada')).toBe('/data/lab')
    expect(labArgument(['queue.yaml'], '/home/ada')).toBe('/home/ada/queue.yaml')
  })

  test('leaves switches of the runtime alone', () => {
    expect(labArgument(['--no-sandbox', '--remote-debugging-port=0', '-psn_0_1'], '/')).toBeNull()
    expect(labArgument(['--no-sandbox', '/lab'], '/')).toBe('/lab')
  })

  test('is null when nothing is named', () => {
    expect(labArgument([], '/')).toBeNull()
    expect(labArgument(['--lab'], '/')).toBeNull()
    expect(labArgument([''], '/')).toBeNull()
  })

  test('the last one counts', () => {
    expect(labArgument(['/a', '--lab', '/b'], '/')).toBe('/b')
  })
})

describe('ownArguments', () => {
  test('begin after the program, and after its folder where Electron was given one', () => {
    expect(ownArguments(['lab-planner', '--lab', '/a'], false)).toEqual(['--lab', '/a'])
    expect(ownArguments(['electron', '.', '/a'], true)).toEqual(['/a'])
    expect(ownArguments(['electron', '.'], true)).toEqual([])
  })

  test('a switch of the runtime before the folder does not make the folder a lab', () => {
    const argv = ['electron', '--no-sandbox', '--inspect=0', '.', '--lab', '/a']
    expect(ownArguments(argv, true)).toEqual(['--lab', '/a'])
  })
})
