import type { NamedText } from '../export/compare-export.ts'
import { exportStems } from '../export/file-names.ts'
import type { NodeSite, StartKind } from '../node/node-site.ts'
import {
  hasImage,
  kubernetesFetch,
  kubernetesServer,
  kubernetesText,
  SSH_SECRET,
} from './kubernetes-files.ts'
import { kubernetesName, modelLabelLine, nodeLabelLine } from './kubernetes-labels.ts'
import { llamaSwapFile, type Peer } from './llama-swap-file.ts'
import { modelsIniFile } from './models-ini-file.ts'
import type { NodeServers } from './node-servers.ts'
import { shellQuote } from './shell-quote.ts'
import { launchdLabel, launchdPlist, systemdUnit } from './unit-files.ts'

export interface StartInputs {
  /** The node's name in file names. */
  readonly stem: string
  readonly site: NodeSite
  readonly servers: NodeServers
  /** The node's fetch script; null when it has none. */
  readonly script: string | null
  readonly planHash: string
}

/** What starts a node's servers. */
export interface StartFiles {
  readonly files: readonly NamedText[]
  readonly missing: readonly {
    readonly fileName: string
    readonly reason: string
    readonly add: readonly string[]
  }[]
  /** Commands for a person, to be run on the node. */
  readonly commands: readonly string[]
  /** Commands to stop what they start. */
  readonly back: readonly string[]
  /** Remarks for the run book, a sentence each. */
  readonly remarks: readonly string[]
  /** How a front reaches this node. */
  readonly peers: readonly Peer[]
}

const NOTHING: StartFiles = { files: [], missing: [], commands: [], back: [], remarks: [], peers: [] }

/** The port of llama-swap, or of llama-server as a router, where the node's `url` says none. */
const ROUTER_PORT = 8080

/** The files that start a node's servers, for what the node starts them with (`start` of fleet.yaml). */
export function startFiles(inputs: StartInputs): StartFiles {
  const { stem, site, servers } = inputs
  const { nodeId, refused } = servers
  if (site.start === null) {
    const reason = `fleet.yaml does not say what ${nodeId} starts its servers with`
    const add = [
      `- id: ${nodeId}`,
      '  start: llama-swap   # or models-ini, systemd, launchd, kubernetes, none',
    ]
    return { ...NOTHING, missing: [{ fileName: `${stem}, what starts there`, reason, add }] }
  }
  if (site.start === 'none') return NOTHING
  const made = filesOf(site.start, inputs)
  const missing = refused.map(({ role, reason, add }) => ({ fileName: `${role} on ${nodeId}`, reason, add }))
  return { ...made, missing: [...missing, ...made.missing] }
}

function filesOf(kind: Exclude<StartKind, 'none'>, inputs: StartInputs): StartFiles {
  switch (kind) {
    case 'llama-swap':
      return llamaSwap(inputs)
    case 'models-ini':
      return modelsIni(inputs)
    case 'systemd':
      return systemd(inputs)
    case 'launchd':
      return launchd(inputs)
    case 'kubernetes':
      return kubernetes(inputs)
  }
}

function llamaSwap({ stem, site, servers, planHash }: StartInputs): StartFiles {
  const { nodeId, budget, planned, onDemand } = servers
  if (planned.length === 0) return NOTHING
  const { text, sets } = llamaSwapFile({ nodeId, budget, planned, onDemand, planHash })
  const fileName = `${stem}.llama-swap.yaml`
  const remarks = [
    ...(onDemand.length === 0
      ? []
      : [
          `${nodeId} also loads ${onDemand.map(({ server }) => server.role).join(', ')} on demand, in place of others: the plan has no room for them beside the rest.`,
        ]),
    ...(sets.tooLarge.length === 0
      ? []
      : [`Too large for ${nodeId} even alone: ${sets.tooLarge.join(', ')}.`]),
    ...(sets.complete
      ? []
      : [
          `${nodeId} has more sets than are listed: each pair that may be together is in one of ${sets.sets.length}.`,
        ]),
  ]
  const [url] = site.urls
  const models = [...planned, ...onDemand].map(({ instance }) => instance.name)
  return {
    ...NOTHING,
    files: [{ fileName, text }],
    ...(url === undefined ? { missing: [noUrl(nodeId)] } : { peers: [{ id: nodeId, url, models }] }),
    commands: [`llama-swap --config ${shellQuote(fileName)} --listen ${listenAddress(site)}`],
    remarks,
  }
}

function noUrl(nodeId: string): StartFiles['missing'][number] {
  return {
    fileName: `front.llama-swap.yaml, the part of ${nodeId}`,
    reason: `fleet.yaml does not say at which address ${nodeId} is asked`,
    add: [`- id: ${nodeId}`, `  url: http://${nodeId}:${ROUTER_PORT}`],
  }
}

function portOf({ urls: [url] }: NodeSite): number {
  return Number(/:(\d+)(?:\/|$)/.exec(url ?? '')?.[1] ?? ROUTER_PORT)
}

function listenAddress(site: NodeSite): string {
  return site.urls.length === 0 ? `127.0.0.1:${portOf(site)}` : `:${portOf(site)}`
}

function modelsIni({ stem, site, servers: { nodeId, planned }, planHash }: StartInputs): StartFiles {
  const fitting = planned
    .filter(({ server }) => server.runtime === 'infer.llamacpp')
    .map(({ server }) => server)
  const others = planned.filter(({ server }) => server.runtime !== 'infer.llamacpp')
  const missing = others.map(({ server: { role, runtime } }) => ({
    fileName: `${role} on ${nodeId}`,
    reason: `models.ini is for llama-server only, and ${role} is run by ${runtime}`,
    add: [`- id: ${nodeId}`, '  start: llama-swap   # or systemd'],
  }))
  if (fitting.length === 0) return { ...NOTHING, missing }
  const { text, command } = modelsIniFile(stem, fitting, portOf(site), planHash)
  const [url] = site.urls
  const models = fitting.map(({ name }) => name)
  return {
    ...NOTHING,
    missing: url === undefined ? [...missing, noUrl(nodeId)] : missing,
    peers: url === undefined ? [] : [{ id: nodeId, url, models }],
    files: [{ fileName: `${stem}.models.ini`, text }],
    commands: [command.map(shellQuote).join(' ')],
  }
}

function systemd({ stem, site, servers: { nodeId, planned }, planHash }: StartInputs): StartFiles {
  const names = exportStems(planned.map(({ server }) => server.name.replace('#', '~')))
  const units = names.map((name) => `lab-planner-${name.replace(/[^A-Za-z0-9._-]/g, '-')}.service`)
  return {
    ...NOTHING,
    files: planned.map(({ server }, i) => ({
      fileName: `${stem}.${units[i] ?? ''}`,
      text: systemdUnit(nodeId, server, site.roots[0] ?? '/', planHash),
    })),
    commands: [
      ...units.map(
        (unit) => `sudo install -m 644 ${shellQuote(`${stem}.${unit}`)} /etc/systemd/system/${unit}`,
      ),
      'sudo systemctl daemon-reload',
      ...units.map((unit) => `sudo systemctl enable --now ${unit}`),
    ],
    back: units.map((unit) => `sudo systemctl disable --now ${unit}`),
    peers: rolePeers(site, planned),
  }
}

function launchd({ stem, site, servers: { nodeId, planned }, planHash }: StartInputs): StartFiles {
  const labels = planned.map(({ server }) => launchdLabel(server.name))
  return {
    ...NOTHING,
    files: planned.map(({ server }, i) => ({
      fileName: `${stem}.${labels[i] ?? ''}.plist`,
      text: launchdPlist(nodeId, server, planHash),
    })),
    commands: labels.flatMap((label) => [
      `cp ${shellQuote(`${stem}.${label}.plist`)} ~/Library/LaunchAgents/${label}.plist`,
      `launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/${label}.plist`,
    ]),
    back: labels.map((label) => `launchctl bootout gui/$(id -u)/${label}`),
    peers: rolePeers(site, planned),
  }
}

function kubernetes({ stem, site, servers: { nodeId, planned }, script, planHash }: StartInputs): StartFiles {
  const [root] = site.roots
  if (root === undefined) return NOTHING
  const running = planned.filter(({ server }) => hasImage(server.runtime))
  const names = running.map(({ server }) => kubernetesName(server.name))
  const fetchFile = `${stem}.fetch.kubernetes.yaml`
  const fetching = script === null ? null : kubernetesFetch({ nodeId, script, root, mount: site.mount })
  const files = running.map(({ server }, i): NamedText => {
    const { deployment, service } = kubernetesServer(server, root)
    return {
      fileName: `${stem}.${names[i] ?? ''}.kubernetes.yaml`,
      text: kubernetesText([deployment, service], `${server.role} on ${nodeId}`, planHash),
    }
  })
  const labels = new Map(running.map(({ server: { manifest } }) => [manifest.packageId, manifest]))
  return {
    ...NOTHING,
    files: [
      ...(fetching === null
        ? []
        : [
            {
              fileName: fetchFile,
              text: kubernetesText([fetching.configMap, fetching.job], nodeId, planHash),
            },
          ]),
      ...files,
    ],
    missing: planned
      .filter(({ server }) => !hasImage(server.runtime))
      .map(({ server: { role, runtime } }) => ({
        fileName: `${role} on ${nodeId}`,
        reason: `there is no container image for ${runtime}`,
        add: [`- id: ${nodeId}`, '  start: launchd   # or systemd'],
      })),
    commands: [
      ...(fetching === null ? [] : [nodeLabelLine(nodeId), `kubectl apply -f ${shellQuote(fetchFile)}`]),
      ...[...labels.values()].map((manifest) => modelLabelLine(nodeId, manifest)),
      ...files.map(({ fileName }) => `kubectl apply -f ${shellQuote(fileName)}`),
    ],
    back: files.map(({ fileName }) => `kubectl delete -f ${shellQuote(fileName)}`),
    remarks:
      fetching === null
        ? []
        : [
            `The Job on ${nodeId} needs a Secret ${SSH_SECRET} with \`config\`, \`known_hosts\` and the key that the ssh hosts need; make it yourself, no key is in these files.`,
          ],
  }
}

/** Where every role has a port of its own, a front asks each one there. */
function rolePeers({ urls: [url] }: NodeSite, planned: NodeServers['planned']): readonly Peer[] {
  if (url === undefined) return []
  const host = url.replace(/^(https?:\/\/(?:\[[^\]]*\]|[^/:]+)).*$/, '$1')
  return planned.map(({ server }) => ({
    id: server.name,
    url: `${host}:${server.port}`,
    models: [server.name],
  }))
}
