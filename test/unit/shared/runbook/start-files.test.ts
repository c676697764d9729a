import { Ajv } from 'ajv'
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts'
import type { Job } from 'kubernetes-types/batch/v1.d.ts'
import type { ConfigMap, Service } from 'kubernetes-types/core/v1.d.ts'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { localityPreference, modelPresentRequirement } from '../../../../shared/locality/preference.ts'
import { MODEL_MARKER_PREFIX } from '../../../../shared/locality/holding.ts'
import type { StartKind } from '../../../../shared/node/node-site.ts'
import { kubernetesFetch, kubernetesServer } from '../../../../shared/runbook/kubernetes-files.ts'
import { kubernetesName, packageOfExpression } from '../../../../shared/runbook/kubernetes-labels.ts'
import { runBook } from '../../../../shared/runbook/run-book.ts'
import type { RunBook } from '../../../../shared/runbook/run-book-types.ts'
import { fullSite, PROGRAMS, withSites } from '../../../support/run-book-lab.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'
import { missingTools } from '../../../support/ssh-nodes.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const { lab, plan } = await readSampleLab({ allowTransfer: true })
const bookOf = (start: StartKind): RunBook =>
  runBook({
    plan,
    lab: { nodes: withSites(lab.nodes, (nodeId) => fullSite(nodeId, start)), shapes: lab.shapes },
    before: null,
  })
const textOf = (book: RunBook, fileName: string): string => {
  const file = book.files.find((each) => each.fileName === fileName)
  if (file === undefined) throw new Error(`no ${fileName}`)
  return file.text
}

describe('llama-swap files', () => {
  const book = bookOf('llama-swap')

  test('say for each planned role the port, the context, the alias, absolute paths and the prompt cache', () => {
    const config = parse(textOf(book, 'gpu-box.llama-swap.yaml')) as {
      models: Record<string, { cmd: string }>
    }
    expect(config.models['hermes']?.cmd).toBe(
      "/usr/local/bin/llama-server --model '/srv/my models/Hermes-4.3-36B/model-00001-of-00003.gguf' " +
        '--host 127.0.0.1 --port 8090 --alias hermes --ctx-size 32768 --parallel 1 --cache-ram 0',
    )
  })

  test('load sticky and interactive roles of the plan at the start, together', () => {
    const config = parse(textOf(book, 'mac-studio.llama-swap.yaml')) as {
      hooks: { on_startup: { preload: string[] } }
      routing: {
        router: { settings: { matrix: { vars: Record<string, string>; sets: Record<string, string> } } }
      }
    }
    expect(config.hooks.on_startup.preload).toEqual(['coder-daily', 'coder-compact'])
    const { vars, sets } = config.routing.router.settings.matrix
    const first = (sets['together1'] ?? '').split(' & ').map((name) => vars[name])
    expect(first).toEqual(expect.arrayContaining(config.hooks.on_startup.preload))
  })

  test('have a front that passes each role on to its node', () => {
    const front = parse(textOf(book, 'front.llama-swap.yaml')) as {
      peers: Record<string, { models: string[] }>
    }
    const served = Object.values(front.peers).flatMap(({ models }) => models)
    const running = plan.roles.filter(({ outcome }) => outcome.nodeId !== null).map(({ role }) => role)
    expect(served.toSorted()).toEqual(running.toSorted())
  })

  const schema = process.env['LLAMA_SWAP_SCHEMA']
  if (schema === undefined)
    console.warn('NOT TESTED: llama-swap files against its schema (set LLAMA_SWAP_SCHEMA)')
  test.skipIf(schema === undefined)('are as the schema of llama-swap wants them', () => {
    // The name of the dialect is left out: it is spelled as none that the checker knows.
    const { $schema: _, ...published } = JSON.parse(readFileSync(schema ?? '', 'utf8')) as Record<
      string,
      unknown
    >
    const validate = new Ajv({ strict: false, formats: { uri: true } }).compile(published)
    const files = book.files.filter(({ fileName }) => fileName.endsWith('.llama-swap.yaml'))
    expect(files.length).toBeGreaterThan(2)
    for (const { text } of files) {
      validate(parse(text))
      expect(validate.errors).toBeNull()
    }
    expect(validate({ models: { a: {} } })).toBe(false)
  })
})

describe('other start files', () => {
  const missing = missingTools(['systemd-analyze', 'plistutil'])
  test('the tools that check them are installed', () => {
    if (missing.length > 0) console.warn(`NOT TESTED, not installed: ${missing.join(', ')}`)
    if (process.env['CI'] !== undefined) expect(missing).toEqual([])
  })

  test.skipIf(missing.includes('systemd-analyze'))(
    'systemd finds nothing to say about the units',
    { timeout: 120_000 },
    async () => {
      const folder = await tempFolder()
      const bin = join(folder, 'bin with 100% $blanks')
      await mkdir(bin)
      const programs = new Map([...PROGRAMS.keys()].map((name) => [name, join(bin, name)]))
      for (const path of programs.values()) {
        await writeFile(path, '#!/bin/sh\n')
        await chmod(path, 0o755)
      }
      const nodes = withSites(lab.nodes, (nodeId) => ({ ...fullSite(nodeId, 'systemd'), programs }))
      const { files } = runBook({ plan, lab: { nodes, shapes: lab.shapes }, before: null })
      const units = files.filter(({ fileName }) => fileName.endsWith('.service'))
      expect(units).toHaveLength(7)
      const paths = units.map(({ fileName }) => join(folder, fileName.replace(/^[^.]*\./, '')))
      await Promise.all(units.map(({ text }, i) => writeFile(paths[i] ?? '', text)))
      const checked = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { encoding: 'utf8' })
      const said = checked.stderr.split('\n').filter((line) => line.includes('lab-planner-'))
      expect(said).toEqual([])
    },
  )

  test.skipIf(missing.includes('plistutil'))('plistutil reads the property lists', async () => {
    const folder = await tempFolder()
    const lists = bookOf('launchd').files.filter(({ fileName }) => fileName.endsWith('.plist'))
    expect(lists).toHaveLength(7)
    for (const { fileName, text } of lists) {
      await writeFile(join(folder, fileName), text)
      const plist = join(folder, fileName)
      const binary = spawnSync('plistutil', ['-i', plist, '-o', `${plist}.bin`, '-f', 'bin'], {
        encoding: 'utf8',
      })
      expect(binary.status).toBe(0)
      const read = spawnSync('plistutil', ['-i', `${plist}.bin`, '-f', 'xml'], { encoding: 'utf8' })
      // Read into a binary list and back, it says the same.
      const plain = (xml: string): string =>
        xml
          .replace(/<!--.*?-->/g, '')
          .replace(/>\s+</g, '><')
          .trim()
      expect(plain(read.stdout)).toBe(plain(text))
    }
  })

  test('models.ini has llama-server roles only, and says so of the others', () => {
    const book = bookOf('models-ini')
    expect(textOf(book, 'gpu-box.models.ini')).toContain(
      '[hermes]\nmodel = /srv/my models/Hermes-4.3-36B/model-00001-of-00003.gguf\nalias = hermes\nctx-size = 32768\n',
    )
    expect(textOf(book, 'gpu-box.models.ini')).toContain('--port 8080')
    expect(book.missing.map(({ fileName }) => fileName)).toContain('coder-daily on mac-studio')
  })

  test('what fleet.yaml does not say is not made, and the run book says which lines are missing', () => {
    const book = runBook({
      plan,
      lab: { nodes: withSites(lab.nodes, () => ({})), shapes: lab.shapes },
      before: null,
    })
    expect(book.files.map(({ fileName }) => fileName)).toEqual(['RUNBOOK.md'])
    const text = textOf(book, 'RUNBOOK.md')
    expect(text).toContain('fleet.yaml does not say where gpu-box keeps its models. Add to `fleet.yaml`')
    expect(text).toContain('  root: /srv/models')
    expect(text).toContain('  start: llama-swap')
  })
})

describe('kubernetes files', () => {
  const book = bookOf('kubernetes')
  const servers = book.nodes.flatMap(({ servers }) => servers.planned.map(({ server }) => server))

  test('have the types that Kubernetes publishes, and the affinity says what requirement and preference say', () => {
    for (const server of servers) {
      const made = kubernetesServer(server, '/srv/models')
      const deployment: Deployment = made.deployment as Deployment
      const service: Service = made.service as Service
      expect(service.spec?.ports?.[0]?.port).toBe(server.port)
      const affinity = deployment.spec?.template.spec?.affinity?.nodeAffinity
      const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
      const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution
      const { packageId, body } = server.manifest
      const requirement = modelPresentRequirement(packageId)
      const preference = localityPreference(body, packageId, 100)
      const asked = (expressions: { key: string; operator: string; values?: string[] }[] | undefined) =>
        expressions?.map(({ key, values }) => {
          const id = packageOfExpression({ key, values: values ?? [] })
          return `${MODEL_MARKER_PREFIX}${id ?? ''}`
        })
      expect(required).toHaveLength(1)
      expect(asked(required?.[0]?.matchExpressions)).toEqual(requirement.where.map(({ value }) => value))
      expect(preferred).toHaveLength(1)
      expect(preferred?.[0]?.weight).toBe(preference.weight)
      expect(asked(preferred?.[0]?.preference.matchExpressions)).toEqual(
        preference.requirement.where.map(({ value }) => value),
      )
    }
  })

  test('have Jobs that run the same script on the node that needs the weights', () => {
    const script = textOf(book, 'gpu-box.fetch.sh')
    const made = kubernetesFetch({ nodeId: 'gpu-box', script, root: '/srv/models', mount: '/srv' })
    const job: Job = made.job as Job
    const configMap: ConfigMap = made.configMap as ConfigMap
    expect(configMap.data?.['fetch.sh']).toBe(script)
    expect(job.spec?.template.spec?.nodeSelector).toEqual({ 'lab-planner.local/node': 'gpu-box' })
    const written = parseAllDocuments(textOf(book, 'gpu-box.fetch.kubernetes.yaml')).map(
      (each) => (each.toJS() as { kind: string }).kind,
    )
    expect(written).toEqual(['ConfigMap', 'Job'])
  })

  test('label each node with the models that are planned there, in names that labels can have', () => {
    const text = textOf(book, 'RUNBOOK.md')
    const labels = text.match(/^kubectl label node \S+ lab-planner\.local\/model-\S+=\S+/gm) ?? []
    expect(labels).toHaveLength(4)
    for (const label of labels) {
      const [, name = '', value = ''] = /\/(\S+)=(\S+)$/.exec(label) ?? []
      expect(name.length).toBeLessThanOrEqual(63)
      expect(value).toMatch(/^[a-z0-9]{1,63}$/)
    }
  })

  test('name what Kubernetes would not take by a name of its own', () => {
    expect(kubernetesName('coder-daily')).toBe('coder-daily')
    expect(kubernetesName('Coder:Daily')).toMatch(/^coder-daily-[0-9a-f]{8}$/)
    expect(kubernetesName('x'.repeat(64)).length).toBeLessThanOrEqual(63)
    expect(kubernetesName('7_')).toMatch(/^role-[0-9a-f]{8}$/)
  })
})
