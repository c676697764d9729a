import { LATENCY_TRAITS } from '../inference-spec.ts'
import { madeBy } from '../export/made-by.ts'
import { llamaOptions, type Server } from './server.ts'

/**
 * A `models.ini` for llama-server as a router. The router listens on one port for all roles and gives each its own behind
 * it, so its command says the port; sticky and interactive roles are loaded at its start.
 */
export function modelsIniFile(
  nodeId: string,
  servers: readonly Server[],
  port: number,
  planHash: string,
): { readonly text: string; readonly command: readonly string[] } {
  const [first] = servers
  const command =
    first === undefined
      ? []
      : [
          first.program,
          ...['--models-preset', `${nodeId}.models.ini`, '--models-max', String(servers.length)],
          ...['--host', first.host, '--port', String(port)],
        ]
  const sections = servers.map(({ name, role, weights, setting, imported: { spec } }) => {
    const loads = spec.sticky || LATENCY_TRAITS[spec.latencyClass].hasBound
    return [
      `[${name}]`,
      `model = ${weights}`,
      `alias = ${role}`,
      ...Object.entries(llamaOptions(setting)).map(([option, value]) => `${option} = ${value}`),
      `load-on-startup = ${loads ? 'true' : 'false'}`,
    ].join('\n')
  })
  const text = [`; ${madeBy(nodeId, planHash)}\n; ${command.join(' ')}\nversion = 1`, ...sections].join(
    '\n\n',
  )
  return { text: `${text}\n`, command }
}
