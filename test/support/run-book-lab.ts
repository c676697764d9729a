import { EMPTY_SITE, type NodeSite, type StartKind } from '../../shared/node/node-site.ts'
import type { LabNode } from '../../shared/node/types.ts'

/** Every program that a role of the sample lab is run by. */
export const PROGRAMS: NodeSite['programs'] = new Map([
  ['llama-server', '/usr/local/bin/llama-server'],
  ['mlx_lm.server', '/opt/mlx env/bin/mlx_lm.server'],
  ['ollama', '/usr/local/bin/ollama'],
])

/** `nodes` with a site each, as their operator would write it in fleet.yaml. */
export function withSites(
  nodes: readonly LabNode[],
  siteOf: (nodeId: string) => Partial<NodeSite>,
): readonly LabNode[] {
  return nodes.map((node) => ({
    ...node,
    declared: {
      nodeId: node.nodeId,
      models: new Map(),
      freeBytes: null,
      eligible: null,
      ...node.declared,
      linkMbps: 1000,
      site: { ...EMPTY_SITE, ...siteOf(node.nodeId) },
    },
  }))
}

/** A site of which everything is written. */
export function fullSite(nodeId: string, start: StartKind): NodeSite {
  return {
    ssh: nodeId,
    roots: ['/srv/my models'],
    mount: '/srv',
    start,
    programs: PROGRAMS,
    urls: [`http://${nodeId}:8080`],
    keyEnv: null,
  }
}
