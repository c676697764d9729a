import fc from 'fast-check'
import {
  LATENCY_CLASSES,
  MAX_MEMORY_BYTES,
  RUNTIMES,
  type InferenceSpec,
} from '../../../../shared/inference-spec.ts'

const FIRST = Array.from('ABCXYZabcxyz0189')
const REST = Array.from('ABCXYZabcxyz0189._+:-')

/** Texts that YAML readers, Windows or a careless writer take for something else than a text. */
const TRICKY_TOKENS = [
  ...['true', 'null', 'on', 'No', 'y', '123', '0x10', '0o7', '1e3', '1_000', '12:30:45', '1.5', '2024-01-01'],
  ...['con', 'CON', 'nul.txt', 'COM1', 'lpt9.a.b', 'com10', 'a:b', 'a.', 'a..', 'a:', 'con:', 'aux.'],
]

/** A plain token of at most `max` bytes, often one that differs from others in case only. */
export function token(max: number): fc.Arbitrary<string> {
  const random = fc
    .tuple(fc.constantFrom(...FIRST), fc.string({ unit: fc.constantFrom(...REST), maxLength: max - 1 }))
    .map(([first, rest]) => first + rest)
  const short = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '1'), minLength: 1, maxLength: 2 })
  return fc.oneof(random, short, fc.constantFrom(...TRICKY_TOKENS))
}

/** Every valid inference spec. */
export const arbitrarySpec: fc.Arbitrary<InferenceSpec> = fc.record({
  role: token(64),
  model: fc.option(token(128)),
  runtime: fc.constantFrom(...RUNTIMES),
  serve: fc.record({ port: fc.option(fc.integer({ min: 1, max: 65535 })) }),
  memory: fc.record({
    weightsBytes: fc.bigInt(0n, MAX_MEMORY_BYTES),
    kvBudgetBytes: fc.bigInt(0n, MAX_MEMORY_BYTES),
  }),
  excludes: fc.array(token(64), { maxLength: 4 }),
  latencyClass: fc.constantFrom(...LATENCY_CLASSES),
  sticky: fc.boolean(),
  api: fc.constant('openai-v1'),
})

/** One spec for tests that need no other. */
export function someSpec(role: string): InferenceSpec {
  return {
    role,
    model: 'Hermes-4.3-36B',
    runtime: 'infer.llamacpp',
    serve: { port: 8090 },
    memory: { weightsBytes: 27_500_000_000n, kvBudgetBytes: 0n },
    excludes: ['role:planner'],
    latencyClass: 'batch',
    sticky: true,
    api: 'openai-v1',
  }
}
