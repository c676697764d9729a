import { RUNTIME_TRAITS, type Runtime } from '../inference-spec.ts'
import type { MemorySetting } from '../memory/setting.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { NodeSite } from '../node/node-site.ts'
import type { ImportedSpec } from '../roster/types.ts'
import { modelFolder } from './model-folders.ts'
import { unsafeForShell } from './shell-quote.ts'

/** A role's server on its node: what is run, and how it is reached. */
export interface Server {
  readonly role: string
  /** Unique on its node, as the ledger has it. */
  readonly name: string
  readonly imported: ImportedSpec
  readonly manifest: ModelManifest
  readonly runtime: Runtime
  /** The program's absolute path. */
  readonly program: string
  readonly args: readonly string[]
  readonly env: readonly (readonly [name: string, value: string])[]
  /** The weights that it loads: a file, a folder, or the Ollama store. */
  readonly weights: string
  readonly host: string
  readonly port: number
  /** The path that answers 200 once it serves. */
  readonly health: string
  /** What the server itself calls the model where that is not the role. */
  readonly modelName: string | null
  readonly setting: MemorySetting
}

/** Why a role's server cannot be written, and the lines of `fleet.yaml` that would help. */
export interface NoServer {
  readonly role: string
  readonly reason: string
  readonly add: readonly string[]
}

export interface ServerInputs {
  readonly nodeId: string
  readonly site: NodeSite
  readonly role: string
  readonly name: string
  readonly imported: ImportedSpec
  readonly manifest: ModelManifest
  readonly setting: MemorySetting
  readonly host: string
  readonly port: number
}

const MIB = 1024n * 1024n

/** The command that serves a role on its node, or why there is none. */
export function serverOf(inputs: ServerInputs): Server | NoServer {
  const { nodeId, site, role, imported, manifest } = inputs
  const { runtime } = imported.spec
  const refuse = (reason: string, add: readonly string[] = []): NoServer => ({ role, reason, add })
  const [root] = site.roots
  if (root === undefined) {
    return refuse(`fleet.yaml does not say where ${nodeId} keeps its models`, [
      `- id: ${nodeId}`,
      '  root: /srv/models',
    ])
  }
  const wanted = RUNTIME_TRAITS[runtime].program
  const program = site.programs.get(wanted)
  if (program === undefined) {
    return refuse(`fleet.yaml does not say where ${wanted} is on ${nodeId}`, [
      `- id: ${nodeId}`,
      `  programs: { ${wanted}: /usr/local/bin/${wanted} }`,
    ])
  }
  if (!RUNTIME_TRAITS[runtime].formats.includes(manifest.body.format)) {
    return refuse(`${runtime} does not load ${manifest.body.format} weights`)
  }
  const weights = weightsPath(runtime, manifest, root)
  if (weights === null) return refuse(noWeights(runtime, manifest))
  const unsafe = [weights, program].find((path) => unsafeForShell(path) !== null || path.includes('${'))
  if (unsafe !== undefined) {
    return refuse(
      `${unsafe} cannot be written into a start file: ${unsafeForShell(unsafe) ?? 'it has ${ in it'}`,
    )
  }
  return { ...inputs, runtime, program, weights, ...command(inputs, weights) }
}

/** What a server loads below `root`; null when the manifest does not say. */
function weightsPath(runtime: Runtime, manifest: ModelManifest, root: string): string | null {
  const folder = `${root}/${modelFolder(manifest)}`
  switch (runtime) {
    case 'infer.llamacpp': {
      const file = firstWeightFile(manifest)
      return file && `${folder}/${file}`
    }
    case 'infer.mlx-lm':
      return folder
    case 'infer.ollama':
      return (manifest.body.source?.ollamaTag ?? null) === null ? null : root
  }
}

/** The file that llama-server is given: of a split set the first part, and no projector. */
function firstWeightFile({ body }: ModelManifest): string | null {
  const files = body.shards.map(({ path }) => path).filter((path) => /\.gguf$/i.test(path))
  return files.find((path) => !/mmproj/i.test(path)) ?? null
}

function noWeights(runtime: Runtime, { body }: ModelManifest): string {
  return runtime === 'infer.ollama'
    ? `the manifest of ${body.name} names no Ollama tag: make one with ollama create and scan it again`
    : `the manifest of ${body.name} names no GGUF file`
}

type Command = Pick<Server, 'args' | 'env' | 'health' | 'modelName'>

function command({ imported, manifest, role, setting, host, port }: ServerInputs, weights: string): Command {
  const { runtime, sticky } = imported.spec
  switch (runtime) {
    case 'infer.llamacpp':
      return {
        args: [
          ...['--model', weights, '--host', host, '--port', String(port), '--alias', role],
          ...Object.entries(llamaOptions(setting)).flatMap(([name, value]) => [`--${name}`, value]),
        ],
        env: [],
        health: '/health',
        modelName: null,
      }
    case 'infer.mlx-lm':
      return {
        args: ['--model', weights, '--host', host, '--port', String(port)],
        env: [],
        health: '/health',
        // It serves what it was started with under the name of its folder.
        modelName: weights,
      }
    case 'infer.ollama':
      return {
        args: ['serve'],
        env: [
          ['OLLAMA_HOST', `${host}:${port}`],
          ['OLLAMA_MODELS', weights],
          ['OLLAMA_CONTEXT_LENGTH', String(setting.context)],
          ['OLLAMA_NUM_PARALLEL', String(setting.parallel)],
          ['OLLAMA_KEEP_ALIVE', sticky ? '-1' : '5m'],
        ],
        health: '/api/version',
        modelName: manifest.body.source?.ollamaTag ?? null,
      }
  }
}

/** What llama-server's memory depends on, by its long options without the dashes. */
export function llamaOptions(setting: MemorySetting): Readonly<Record<string, string>> {
  return {
    'ctx-size': String(setting.context),
    ...(setting.keyType === 'f16' ? {} : { 'cache-type-k': setting.keyType }),
    ...(setting.valueType === 'f16' ? {} : { 'cache-type-v': setting.valueType }),
    parallel: String(setting.parallel),
    'cache-ram': String(setting.promptCacheBytes / MIB),
  }
}

/** Whether it is a server; otherwise it says why there is none. */
export function isServer(made: Server | NoServer): made is Server {
  return 'program' in made
}
