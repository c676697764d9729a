import { stringify } from 'yaml'
import { DEFAULT_PREFERENCE_WEIGHT } from '../export/preference-files.ts'
import { specMemoryBytes, type Runtime } from '../inference-spec.ts'
import { kubernetesName, modelAffinity, NODE_LABEL } from './kubernetes-labels.ts'
import { madeBy } from '../export/made-by.ts'
import { shellQuote } from './shell-quote.ts'
import type { Server } from './server.ts'

/** Images whose own program is used in place of the node's. An operator may name others in the exported file. */
const IMAGES: Readonly<Record<Runtime, { readonly image: string; readonly command: string } | null>> = {
  'infer.llamacpp': { image: 'ghcr.io/ggml-org/llama.cpp:server', command: '/app/llama-server' },
  'infer.mlx-lm': null,
  'infer.ollama': { image: 'docker.io/ollama/ollama:latest', command: '/bin/ollama' },
}

/** Whether a role of that runtime can be run from an image. */
export function hasImage(runtime: Runtime): boolean {
  return IMAGES[runtime] !== null
}

/** The Deployment and the Service of one role, as objects. */
export function kubernetesServer(server: Server, root: string) {
  const { runtime, args, env, port, health, manifest, imported } = server
  const name = kubernetesName(server.name)
  const labels = { app: name, 'app.kubernetes.io/managed-by': 'lab-planner' }
  const image = IMAGES[runtime] ?? { image: '', command: server.program }
  const memory = specMemoryBytes(imported.spec).toString()
  // A container has an address of its own: what listens on the node's loopback would not be reached there.
  const listening = args.map((arg, i) => (args[i - 1] === '--host' ? '0.0.0.0' : arg))
  return {
    deployment: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, labels },
      spec: {
        replicas: 1,
        // Two of them beside each other would take the memory twice.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels },
          spec: {
            affinity: modelAffinity(manifest, DEFAULT_PREFERENCE_WEIGHT),
            containers: [
              {
                name: 'server',
                image: image.image,
                command: [image.command],
                args: [...listening],
                env: env.map(([key, value]) => ({
                  name: key,
                  value: key === 'OLLAMA_HOST' ? `0.0.0.0:${port}` : value,
                })),
                ports: [{ name: 'http', containerPort: port }],
                readinessProbe: { httpGet: { path: health, port: 'http' }, periodSeconds: 10 },
                resources: { requests: { memory }, limits: { memory } },
                volumeMounts: [{ name: 'models', mountPath: root, readOnly: runtime !== 'infer.ollama' }],
              },
            ],
            volumes: [{ name: 'models', hostPath: { path: root, type: 'Directory' } }],
          },
        },
      },
    },
    service: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels },
      spec: { selector: { app: name }, ports: [{ name: 'http', port, targetPort: 'http' }] },
    },
  }
}

/** The Secret with the ssh configuration and key that the fetching Jobs mount; an operator makes it. */
export const SSH_SECRET = 'lab-planner-ssh'

export interface FetchJobInputs {
  readonly nodeId: string
  /** The script that the Job runs; the node's own `NODE.fetch.sh`. */
  readonly script: string
  readonly root: string
  readonly mount: string | null
}

/** The Job that runs a node's fetch script on that node, and the ConfigMap that holds the script, as objects. */
export function kubernetesFetch({ nodeId, script, root, mount }: FetchJobInputs) {
  const name = `${kubernetesName(nodeId).slice(0, 55)}-fetch`
  const labels = { 'app.kubernetes.io/managed-by': 'lab-planner' }
  const volume = mount ?? root
  return {
    configMap: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels },
      data: { 'fetch.sh': script },
    },
    job: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, labels },
      spec: {
        backoffLimit: 3,
        template: {
          metadata: { labels },
          spec: {
            restartPolicy: 'OnFailure',
            nodeSelector: { [NODE_LABEL]: kubernetesName(nodeId) },
            containers: [
              {
                name: 'fetch',
                image: 'docker.io/library/debian:stable-slim',
                command: ['sh', '-c', fetchCommand(root, mount)],
                volumeMounts: [
                  { name: 'script', mountPath: '/lab-planner', readOnly: true },
                  { name: 'ssh', mountPath: '/root/.ssh', readOnly: true },
                  { name: 'models', mountPath: volume },
                  { name: 'host', mountPath: '/host', readOnly: true, mountPropagation: 'HostToContainer' },
                ],
              },
            ],
            volumes: [
              { name: 'script', configMap: { name } },
              { name: 'ssh', secret: { secretName: SSH_SECRET, defaultMode: 0o400 } },
              { name: 'models', hostPath: { path: volume, type: 'Directory' } },
              { name: 'host', hostPath: { path: '/', type: 'Directory' } },
            ],
          },
        },
      },
    },
  }
}

/** In a container every volume looks mounted, so the mount point is looked up in the node's own tree first. */
function fetchCommand(root: string, mount: string | null): string {
  const check =
    mount === null || mount === '/'
      ? []
      : [
          `[ "$(df -Pk ${shellQuote(`/host${root}`)} | sed -n '2s/^[^%]*% *//p')" = ${shellQuote(`/host${mount}`)} ] || { echo "refused: ${mount} is not mounted on the node"; exit 20; }`,
        ]
  return [
    'set -e',
    ...check,
    'apt-get update -qq',
    'apt-get install -y -qq --no-install-recommends openssh-client rsync b3sum',
    'exec sh /lab-planner/fetch.sh --go',
  ].join('\n')
}

/** Objects as one file for `kubectl apply -f`. */
export function kubernetesText(objects: readonly object[], what: string, planHash: string): string {
  const documents = objects.map((object) =>
    stringify(object, {
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'PLAIN',
      lineWidth: 0,
      aliasDuplicateObjects: false,
    }),
  )
  return `# ${madeBy(what, planHash)}\n${documents.join('---\n')}`
}
