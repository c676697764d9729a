import { z } from 'zod'
import { issuePath, placeName } from '../json/issue-place.ts'
import { listedProblems } from '../json/json-reader.ts'
import { readJsonSource } from '../json/json-source.ts'
import { jsonText } from '../json/json-text.ts'
import { readFailed, readOk, type Problem, type Read } from '../problem.ts'
import { MAX_COUNT, MAX_LAYERS, type LayerCache, type LayerGroup, type ModelShape } from './shape.ts'

/** What a shape file says it is. */
const SHAPE_SCHEMA = 'lab-planner.model-shape.v1'

/** Largest shape file read, in bytes. */
const MAX_SHAPE_BYTES = 1024 * 1024

/** A model's shape as a lab keeps it, by the package it belongs to. */
export interface KeptShape {
  readonly packageId: string
  /** The model's name when the shape was written, for a person who reads the file. */
  readonly model: string
  readonly shape: ModelShape
}

/** A kept shape and the file it was read from. */
export interface ShapeDocument extends KeptShape {
  readonly file: string
}

/** The file name of a package's shape: `PACKAGE.json`. */
export function shapeFileName(packageId: string): string {
  return `${packageId}.json`
}

const count = z.int('must be a whole number').min(0, 'must be at least 0').max(MAX_COUNT, 'is too large')
/** States are products of such counts. */
const elements = z
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .max(Number.MAX_SAFE_INTEGER, 'is too large')
const bytes = elements
const layers = z.int('must be a whole number').min(1, 'must be at least 1').max(MAX_LAYERS, 'is too large')

const groupSchema = z.discriminatedUnion(
  'cache',
  [
    z.strictObject({
      layers,
      cache: z.literal('attention'),
      kv_heads: count,
      key_length: count,
      value_length: count,
      window: count.nullable(),
    }),
    z.strictObject({ layers, cache: z.literal('latent'), width: elements }),
    z.strictObject({ layers, cache: z.literal('recurrent'), convolution: elements, state: elements }),
  ],
  'must be attention, latent or recurrent',
)

const shapeSchema = z.strictObject({
  schema: z.literal(SHAPE_SCHEMA, `must be "${SHAPE_SCHEMA}": this is no shape file of this version`),
  package: z
    .string('must be a text')
    .regex(/^[0-9a-f]{64}$/, 'must be a package id: 64 lower-case hex digits'),
  model: z.string('must be a text'),
  architecture: z.string('must be a text').nullable(),
  weights_bytes: bytes.nullable(),
  projector_bytes: bytes,
  trained_context: count.min(1, 'must be at least 1').nullable(),
  caches: z.union([
    z.array(groupSchema).max(2 * MAX_LAYERS, 'has too many entries'),
    z.strictObject({ unknown_architecture: z.string().nullable() }),
    z.strictObject({ unusable_key: z.string() }),
  ]),
})

type ShapeJson = z.output<typeof shapeSchema>
type GroupJson = z.output<typeof groupSchema>

/** A shape as the text of its file; {@link readShapeFile} gives it back. */
export function shapeFileText({ packageId, model, shape }: KeptShape): string {
  const { caches } = shape
  return `${jsonText(
    {
      schema: SHAPE_SCHEMA,
      package: packageId,
      model,
      architecture: shape.architecture,
      weights_bytes: shape.weightsBytes,
      projector_bytes: shape.projectorBytes,
      trained_context: shape.trainedContext,
      caches:
        caches.kind === 'known'
          ? caches.groups.map((group) => ({ ...groupToJson(group) }))
          : caches.gap.kind === 'architecture'
            ? { unknown_architecture: caches.gap.name }
            : { unusable_key: caches.gap.key },
    },
    2,
  )}\n`
}

function groupToJson({ layers: number, cache }: LayerGroup): GroupJson {
  switch (cache.kind) {
    case 'attention':
      return {
        layers: number,
        cache: 'attention',
        kv_heads: cache.kvHeads,
        key_length: cache.keyLength,
        value_length: cache.valueLength,
        window: cache.window,
      }
    case 'latent':
      return { layers: number, cache: 'latent', width: cache.width }
    case 'recurrent':
      return { layers: number, cache: 'recurrent', convolution: cache.convolution, state: cache.state }
  }
}

/**
 * Reads a shape file. What is not JSON of this schema is an error with its place, and so are unknown and repeated
 * keys: a shape that is half understood would give wrong figures. `file` is the name for messages.
 */
export function readShapeFile(text: string, file: string): Read<ShapeDocument> {
  const source = readJsonSource(text, file, MAX_SHAPE_BYTES)
  if (!source.ok) return source
  const { lines, value, repeatedKeys } = source.value
  const problem = (message: string, span: Parameters<typeof lines.range>[0]): Problem => {
    return { severity: 'error', code: 'shape-bad-value', message, file, range: lines.range(span) }
  }
  const repeated = repeatedKeys.map(({ path, span }) =>
    problem(`\`${path.join('.')}\` is given twice: keep one`, span),
  )
  const parsed = shapeSchema.safeParse(value)
  if (parsed.success && repeated.length === 0) return readOk({ ...fromJson(parsed.data), file })
  const faults = (parsed.error?.issues ?? []).map((issue) => {
    const path = issuePath(issue)
    if (issue.code === 'unrecognized_keys') {
      const key = issue.keys[0] ?? ''
      return problem(`\`${key}\` is no key of a shape file: scan the model again`, source.value.spanOf(path))
    }
    const what = issue.code === 'invalid_union' ? 'is no list of layers' : issue.message
    return problem(`${placeName(path, 'the shape file')} ${what}`, source.value.spanOf(path))
  })
  return readFailed(listedProblems([...repeated, ...faults], file))
}

function fromJson(json: ShapeJson): KeptShape {
  return {
    packageId: json.package,
    model: json.model,
    shape: {
      architecture: json.architecture,
      weightsBytes: json.weights_bytes === null ? null : BigInt(json.weights_bytes),
      projectorBytes: BigInt(json.projector_bytes),
      trainedContext: json.trained_context,
      caches: cachesFromJson(json.caches),
    },
  }
}

function cachesFromJson(caches: ShapeJson['caches']): ModelShape['caches'] {
  if ('unusable_key' in caches) return { kind: 'unknown', gap: { kind: 'key', key: caches.unusable_key } }
  if ('unknown_architecture' in caches) {
    return { kind: 'unknown', gap: { kind: 'architecture', name: caches.unknown_architecture } }
  }
  return {
    kind: 'known',
    groups: caches.map((group) => ({ layers: group.layers, cache: cacheFromJson(group) })),
  }
}

function cacheFromJson(group: GroupJson): LayerCache {
  switch (group.cache) {
    case 'attention':
      return {
        kind: 'attention',
        kvHeads: group.kv_heads,
        keyLength: group.key_length,
        valueLength: group.value_length,
        window: group.window,
      }
    case 'latent':
      return { kind: 'latent', width: group.width }
    case 'recurrent':
      return { kind: 'recurrent', convolution: group.convolution, state: group.state }
  }
}
