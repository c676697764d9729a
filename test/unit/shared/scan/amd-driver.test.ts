import { expect, test } from 'vitest'
import { readAmdDriver } from '../../../../shared/scan/amd-driver.ts'

const CARD = (slot: string) => [
  `card0 slot ${slot}`,
  'card0 vram_total 536870912',
  'card0 vram_used 36870912',
  'card0 gtt_total 100000000000',
  'card0 gtt_used 1000000000',
]

test('a GPU that is one with the processor has its own memory and what it may use of the system’s', () => {
  const lines = [
    'kfd0 gfx 0',
    'kfd1 gfx 110501',
    'kfd1 location 50432',
    'kfd1 domain 0',
    ...CARD('0000:c5:00.0'),
  ]
  expect(readAmdDriver(lines)).toEqual([
    {
      device: 'AMD GPU (gfx1151)',
      memory: null,
      shared: { limit: { total: 100_536_870_912n, free: 99_500_000_000n } },
    },
  ])
})

test('a card has its own memory alone', () => {
  const lines = ['kfd1 gfx 110000', 'kfd1 location 768', ...CARD('0000:03:00.0')]
  expect(readAmdDriver(lines)).toEqual([
    { device: 'AMD GPU (gfx1100)', memory: { total: 536_870_912n, free: 500_000_000n } },
  ])
})

test('two of them are told apart by their place', () => {
  const other = CARD('0000:03:00.0').map((line) => line.replace('card0', 'card1'))
  const units = ['kfd1 gfx 90012', 'kfd1 location 1024', 'kfd2 gfx 120001', 'kfd2 location 768']
  const gpus = readAmdDriver([...CARD('0000:04:00.0'), ...other, ...units])
  expect(gpus.map(({ device, shared }) => [device, shared !== undefined])).toEqual([
    ['AMD GPU (gfx90c)', true],
    ['AMD GPU (gfx1201)', false],
  ])
})

test.each([
  ['nothing', []],
  ['a card of no known kind', CARD('0000:03:00.0')],
  ['a unit elsewhere', ['kfd1 gfx 110501', 'kfd1 location 512', ...CARD('0000:03:00.0')]],
  [
    'figures that are none',
    ['kfd1 gfx 110501', 'kfd1 location 768', 'card0 slot 0000:03:00.0', 'card0 vram_total x'],
  ],
])('%s is no GPU', (_what, lines) => {
  expect(readAmdDriver(lines)).toEqual([])
})
