import { describe, expect, test } from 'vitest'
import { readBool, readInteger, readRustFloat, resolvePlain } from '../../../../shared/yaml/scalars.ts'

describe('readInteger', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['+12', 12n],
    ['-12', -12n],
    ['0x1f', 31n],
    ['-0x1F', -31n],
    ['+0o17', 15n],
    ['0b101', 5n],
    ['340282366920938463463374607431768211456', 2n ** 128n],
  ])('reads %s', (text, expected) => {
    expect(readInteger(text)).toBe(expected)
  })

  test.each([
    '',
    '+',
    '00',
    '017',
    '-01',
    '0X1F',
    '0x',
    '0o8',
    '0b2',
    '1_000',
    '1.0',
    '1e3',
    '++1',
    '+-1',
    ' 1',
    '٣',
  ])('takes %j for no integer', (text) => {
    expect(readInteger(text)).toBeNull()
  })
})

describe('readRustFloat', () => {
  test.each([
    ['5', 5],
    ['5.', 5],
    ['.5', 0.5],
    ['+5', 5],
    ['-0', -0],
    ['017', 17],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['1e-400', 0],
  ])('reads %s', (text, expected) => {
    expect(readRustFloat(text)).toBe(expected)
  })

  test.each([
    '',
    '.',
    '+',
    'e5',
    '.e1',
    '1e',
    '0x10',
    '1_000',
    '5GB',
    'inf',
    'nan',
    '1e400',
    ' 5',
    '5 ',
    '1,5',
  ])('takes %j for no finite float', (text) => {
    expect(readRustFloat(text)).toBeNull()
  })
})

describe('readBool', () => {
  test('knows three spellings of each, and no yes or no', () => {
    expect(['true', 'True', 'TRUE', 'false', 'False', 'FALSE', 'yes', 'tRue', ''].map(readBool)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      null,
      null,
      null,
    ])
  })
})

describe('resolvePlain', () => {
  test.each([
    ['', { kind: 'null' }],
    ['~', { kind: 'null' }],
    ['nULL', { kind: 'text', value: 'nULL' }],
    ['TRUE', { kind: 'bool', value: true }],
    ['8081', { kind: 'integer', value: 8081n }],
    ['08081', { kind: 'text', value: '08081' }],
    ['08081.5', { kind: 'float', value: 8081.5 }],
    ['.inf', { kind: 'float', value: Infinity }],
    ['-.INF', { kind: 'float', value: -Infinity }],
    ['.nan', { kind: 'float', value: NaN }],
    ['inf', { kind: 'text', value: 'inf' }],
    ['340282366920938463463374607431768211455', { kind: 'integer', value: 2n ** 128n - 1n }],
    ['340282366920938463463374607431768211456', { kind: 'float', value: 2 ** 128 }],
  ])('resolves %j', (text, expected) => {
    expect(resolvePlain(text)).toEqual(expected)
  })
})
