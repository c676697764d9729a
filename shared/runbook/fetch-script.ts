import { sumBytes } from '../bytes.ts'
import { EMPTY_SITE, type NodeSite } from '../node/node-site.ts'
import { FETCH_SCRIPT_BODY } from './fetch-script-body.ts'
import { modelFolder, sourceFolders } from './model-folders.ts'
import { shellQuote, unsafeForShell } from './shell-quote.ts'
import type { ModelFetch } from './types.ts'

/** A file of the run book, or why it cannot be made and the lines of `fleet.yaml` that would help. */
export type MadeText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly add: readonly string[] }

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
  const unsafe = [root, site.mount ?? '/'].find((path) => unsafeForShell(path) !== null)
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
      '',
      'check_here',
      'if [ "$go" = yes ]; then take_lock; fi',
      ...fetches.flatMap((fetch) => modelLines(fetch, root, siteOf)),
      'finish',
      '',
    ].join('\n'),
  }
}

function isReachable(site: NodeSite | undefined): site is NodeSite & { readonly ssh: string } {
  return site !== undefined && site.ssh !== null && site.roots.length > 0
}

function modelLines(
  { manifest, shards, sources, repo }: ModelFetch,
  root: string,
  siteOf: FetchScriptInputs['siteOf'],
): string[] {
  return [
    '',
    `model ${shellQuote(manifest.body.name)} ${shellQuote(`${root}/${modelFolder(manifest)}`)}`,
    ...sources.flatMap((source) => {
      const site = siteOf(source)
      if (!isReachable(site)) return []
      const folders = sourceFolders(manifest, repo, site.roots).filter(
        (path) => unsafeForShell(path) === null,
      )
      return [`source_at ${shellQuote(source)} ${shellQuote(site.ssh)} ${folders.map(shellQuote).join(' ')}`]
    }),
    ...shards.map(({ size, blake3, path }) => `shard ${size} ${blake3} ${shellQuote(path)}`),
    'end_model',
  ]
}
