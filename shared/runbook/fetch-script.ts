import { sumBytes } from '../bytes.ts'
import { EMPTY_SITE, type NodeSite } from '../node/node-site.ts'
import { FETCH_SCRIPT_BODY } from './fetch-script-body.ts'
import { FETCH_SCRIPT_OLLAMA } from './fetch-script-ollama.ts'
import { hubLine, isInHubCache, modelFolder, ollamaTagPath, sourceFolders } from './model-folders.ts'
import { shellQuote, unsafeForShell } from './shell-quote.ts'
import type { MadeText, ModelFetch } from './types.ts'

export interface FetchScriptInputs {
  readonly nodeId: string
  /** What this node must get; all have it as their target. */
  readonly fetches: readonly ModelFetch[]
  readonly siteOf: (nodeId: string) => NodeSite | undefined
  /** Bytes that must stay free on the node. */
  readonly headroomBytes: bigint
  /** Names the plan that the script carries out. */
  readonly planHash: string
}

/**
 * The script that brings `fetches` to their node, for a POSIX shell there: without arguments it only says what it would
 * do (docs/runbook.md). It needs to know where the node keeps models and how the sources are reached.
 */
export function fetchScript(inputs: FetchScriptInputs): MadeText {
  const { nodeId, fetches, siteOf, headroomBytes, planHash } = inputs
  const site = siteOf(nodeId) ?? EMPTY_SITE
  const [root] = site.roots
  if (root === undefined) {
    return {
      ok: false,
      reason: `fleet.yaml does not say where ${nodeId} keeps its models`,
      add: [`- id: ${nodeId}`, '  root: /srv/models   # the folder with one folder a model'],
    }
  }
  const unreachable = fetches.flatMap(({ sources }) =>
    sources.length > 0 && sources.every((source) => !isReachable(siteOf(source))) ? sources.slice(0, 1) : [],
  )
  const [first] = unreachable
  if (first !== undefined) {
    return {
      ok: false,
      reason: `fleet.yaml does not say how ${first} is reached and where it keeps its models`,
      add: [
        `- id: ${first}`,
        `  ssh: ${first}        # a host of your ssh configuration`,
        '  root: /srv/models',
      ],
    }
  }
  const cached = site.roots.find(isInHubCache)
  if (cached !== undefined) {
    return {
      ok: false,
      reason: `${cached} is in a Hugging Face cache, which only hf download writes to`,
      add: [`- id: ${nodeId}`, '  root: /srv/models   # a plain folder with one folder a model'],
    }
  }
  const named = fetches.flatMap(({ manifest, shards }) => [
    manifest.body.name,
    ...shards.map(({ path }) => path),
  ])
  const unsafe = [...site.roots, site.mount ?? '/', ...named].find((path) => unsafeForShell(path) !== null)
  if (unsafe !== undefined) {
    return {
      ok: false,
      reason: `${unsafe} cannot be written into a script: ${unsafeForShell(unsafe) ?? ''}`,
      add: [],
    }
  }
  const total = sumBytes(fetches.map(({ bytes }) => bytes))
  return {
    ok: true,
    text: [
      '#!/bin/sh',
      `# Made by Lab Planner for ${nodeId}; plan ${planHash}. Run it on ${nodeId}.`,
      `# Brings ${total} bytes of ${fetches.map(({ manifest }) => manifest.body.name).join(', ')}.`,
      '# Without an option it only says what it would do; --go fetches, and resumes after any stop.',
      '# Names of folders may hold $ and quotes; they are data here and are quoted on purpose.',
      '# shellcheck disable=SC2016,SC2089,SC2090,SC2317',
      'set -u',
      'LC_ALL=C',
      'export LC_ALL',
      `node=${shellQuote(nodeId)}`,
      `root=${shellQuote(root)}`,
      `mount=${shellQuote(site.mount ?? '')}`,
      `headroom_bytes=${headroomBytes}`,
      FETCH_SCRIPT_BODY.trim(),
      ...(fetches.some(isOllama) ? ['', FETCH_SCRIPT_OLLAMA.trim()] : []),
      '',
      'check_here',
      'if [ "$go" = yes ]; then take_lock; fi',
      ...fetches.flatMap((fetch) => modelLines(fetch, site.roots, siteOf)),
      'finish',
      '',
    ].join('\n'),
  }
}

function isReachable(site: NodeSite | undefined): site is NodeSite & { readonly ssh: string } {
  return site !== undefined && site.ssh !== null && site.roots.length > 0
}

function isOllama({ manifest }: ModelFetch): boolean {
  return manifest.body.format === 'ollama'
}

function modelLines(
  fetch: ModelFetch,
  roots: readonly string[],
  siteOf: FetchScriptInputs['siteOf'],
): readonly string[] {
  return ['', ...(isOllama(fetch) ? ollamaLines(fetch, roots, siteOf) : plainLines(fetch, roots, siteOf))]
}

function plainLines(
  fetch: ModelFetch,
  [root = '/']: readonly string[],
  siteOf: FetchScriptInputs['siteOf'],
): string[] {
  const { manifest, shards, sources, repo } = fetch
  const folder = `${root}/${modelFolder(manifest)}`
  const line = sources.length === 0 ? hubLine(manifest, repo, shards, folder) : null
  return [
    `model ${shellQuote(manifest.body.name)} ${shellQuote(folder)}`,
    ...sourceLines(sources, siteOf, (site) => sourceFolders(manifest, repo, site.roots)),
    ...shards.map(({ size, blake3, path }) => `shard ${size} ${blake3} ${shellQuote(path)}`),
    line === null ? 'end_model' : `from_hub ${shellQuote(line)}`,
  ]
}

const BLOB = /^blobs\/sha256-([0-9a-f]{64})$/

/** Into an Ollama store: the blobs that the plan knows, then what else the tag's manifest names, and that manifest. */
function ollamaLines(
  { manifest, shards, sources }: ModelFetch,
  roots: readonly string[],
  siteOf: FetchScriptInputs['siteOf'],
): string[] {
  const tag = ollamaTagPath(manifest.body.source?.ollamaTag ?? null)
  return [
    `ollama_model ${[manifest.body.name, ...roots].map(shellQuote).join(' ')}`,
    ...sourceLines(sources, siteOf, (site) => site.roots),
    ...shards.map(({ size, blake3, path }) => {
      const digest = BLOB.exec(path)?.[1]
      return digest === undefined
        ? `shard ${size} ${blake3} ${shellQuote(path)}`
        : `blob ${size} ${blake3} ${digest}`
    }),
    ...(tag === null ? [] : [`ollama_tag ${shellQuote(tag)}`]),
    'end_model',
  ]
}

function sourceLines(
  sources: readonly string[],
  siteOf: FetchScriptInputs['siteOf'],
  foldersOf: (site: NodeSite) => readonly string[],
): string[] {
  return sources.flatMap((source) => {
    const site = siteOf(source)
    if (!isReachable(site)) return []
    const folders = foldersOf(site).filter((path) => unsafeForShell(path) === null)
    return [`source_at ${[source, site.ssh, ...folders].map(shellQuote).join(' ')}`]
  })
}
