import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HostEvent } from '../../../../electron/host/events.ts'
import type {
  ExportRequest,
  HostCallArgs,
  HostCallName,
  HostCallResult,
} from '../../../../shared/host-api.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import { scenarioToJson } from '../../../../shared/scenario/scenario-json.ts'
import { SAMPLE_LAB } from '../../../support/planner-home.ts'
import { runHost, type RunningHostOptions } from '../../../support/running-host.ts'

async function running(options: RunningHostOptions = {}) {
  const host = await runHost(options)
  const told: HostEvent[] = []
  host.host.events.listen((event) => told.push(event))
  /** The value of a call that must succeed. */
  const ask = async <K extends HostCallName>(name: K, args: HostCallArgs<K>): Promise<HostCallResult<K>> => {
    const result = await host.dispatch(name, args)
    if (!result.ok) throw new Error(`${name}: ${result.error.code}: ${result.error.message}`)
    return result.value as HostCallResult<K>
  }
  const refusal = async <K extends HostCallName>(name: K, args: HostCallArgs<K>) => {
    const result = await host.dispatch(name, args)
    return result.ok ? null : result.error.code
  }
  const overlay = join(host.home, 'llm/docs/models/overlay.yaml')
  return { ...host, told, ask, refusal, overlay }
}

type Running = Awaited<ReturnType<typeof running>>

async function exportRequest({ ask }: Running, changes: Partial<ExportRequest> = {}): Promise<ExportRequest> {
  const { here } = await ask('browse', { token: null })
  const { token } = await ask('childFolder', { token: here.token, name: 'out' })
  return {
    folder: token,
    what: 'specs',
    format: 'json',
    roles: ['coder-daily', 'hermes'],
    overlayText: '',
    scenario: scenarioToJson(DEFAULT_SCENARIO),
    ...changes,
  }
}

describe('opening', () => {
  test('takes ~/llm by default, and the sample where there is none', async () => {
    const own = await running()
    expect(await own.ask('openLab', { by: 'default' })).toMatchObject({
      origin: 'default',
      lab: { name: '~/llm' },
    })
    const none = await running({ lab: false })
    expect(await none.ask('openLab', { by: 'default' })).toMatchObject({ origin: 'sample' })
    expect(none.host.snapshot()?.lab.files.length).toBeGreaterThan(3)
  })

  test('before anything is open says so', async () => {
    const { refusal, ask } = await running()
    expect(await ask('currentLab', {})).toBeNull()
    expect(await refusal('reload', {})).toBe('no_lab')
    expect(await refusal('readFileText', { file: 'x' })).toBe('no_lab')
    expect(await refusal('saveOverlay', { text: '', baseHash: null })).toBe('no_lab')
  })

  test('opens what was browsed to, a folder or a roster, and remembers it', async () => {
    const { ask } = await running()
    const home = await ask('browse', { token: null })
    const llm = home.folders.find(({ label }) => label === 'llm')
    await ask('openLab', { by: 'token', token: llm?.token ?? '' })
    const docs = await ask('browse', { token: llm?.token ?? '' })
    const models = await ask('browse', { token: docs.folders[0]?.token ?? '' })
    const inner = await ask('browse', { token: models.folders[0]?.token ?? '' })
    const roster = inner.files.find(({ label }) => label === 'queue.yaml')
    const opened = await ask('openLab', { by: 'token', token: roster?.token ?? '' })
    expect(opened).toMatchObject({ origin: 'picked', lab: { name: '~/llm' } })
    expect((await ask('recentLabs', {})).map(({ label, missing }) => [label, missing])).toEqual([
      ['~/llm/docs/models/queue.yaml', false],
      ['~/llm', false],
    ])
  })

  test('opens no listed file that is no roster: the page could read any by it', async () => {
    const { ask, refusal, home } = await running()
    await ask('openLab', { by: 'default' })
    await writeFile(join(home, 'secret.yaml'), 'password: x\n')
    await writeFile(join(home, 'mine.yaml'), 'roster:\n- id: [\n')
    const { files } = await ask('browse', { token: null })
    const token = (name: string) => files.find(({ label }) => label === name)?.token ?? ''
    expect(await refusal('openLab', { by: 'token', token: token('secret.yaml') })).toBe('bad_arguments')
    expect((await ask('currentLab', {}))?.lab.name).toBe('~/llm')
    // One with a fault is opened, so that the fault can be shown.
    expect(await ask('openLab', { by: 'token', token: token('mine.yaml') })).toMatchObject({
      origin: 'picked',
    })
  })

  test('keeps the open lab when another one cannot be opened', async () => {
    const { ask, refusal, host, home } = await running()
    const open = await ask('openLab', { by: 'default' })
    const gone = await host.offer(join(home, 'gone'))
    expect(await refusal('openLab', { by: 'token', token: gone.token })).toBe('io')
    expect(await refusal('openLab', { by: 'token', token: '/etc' })).toBe('unknown_token')
    expect(await ask('currentLab', {})).toEqual(open)
  })

  test('reports changes in the open lab only', async () => {
    const { ask, told, home, overlay } = await running()
    await ask('openLab', { by: 'default' })
    await writeFile(overlay, 'sticky: {}\n')
    await expect.poll(() => told.map(({ name }) => name)).toEqual(['labChanged'])
    const sample = await ask('openLab', { by: 'sample' })
    await rm(join(home, 'llm'), { recursive: true })
    await ask('reload', {})
    expect(told).toHaveLength(1)
    expect(sample.revision).toBe(3)
  })

  test('labs opened at once are opened one after the other', async () => {
    const { ask } = await running()
    const opened = await Promise.all([
      ask('openLab', { by: 'default' }),
      ask('openLab', { by: 'sample' }),
      ask('openLab', { by: 'default' }),
    ])
    expect(opened.map(({ revision, origin }) => [revision, origin])).toEqual([
      [1, 'default'],
      [2, 'sample'],
      [3, 'default'],
    ])
    expect(await ask('currentLab', {})).toEqual(opened[2])
  })
})

describe('opening that is called off', () => {
  test('ends with what was open still open, whatever waits behind it ends too', async () => {
    const { ask, refusal, host } = await running()
    const before = await ask('openLab', { by: 'default' })
    const openings = [refusal('openLab', { by: 'sample' }), refusal('openLab', { by: 'default' })]
    await ask('stopOpening', {})
    expect(await Promise.all(openings)).toEqual(['stopped', 'stopped'])
    expect(host.snapshot()).toEqual(before)
    expect(await ask('openLab', { by: 'sample' })).toMatchObject({ origin: 'sample' })
  })

  test('is no fault when nothing is being opened', async () => {
    const { ask } = await running()
    expect(await ask('stopOpening', {})).toBeNull()
    expect(await ask('openLab', { by: 'default' })).toMatchObject({ origin: 'default' })
  })
})

describe('texts', () => {
  test('come by their hashes in the order asked for, null for what the lab has not', async () => {
    const { ask, refusal } = await running()
    expect(await refusal('labTexts', { hashes: ['x'] })).toBe('no_lab')
    const { lab } = await ask('openLab', { by: 'default' })
    const [roster, overlay] = lab.files
    const texts = await ask('labTexts', { hashes: [overlay?.hash ?? '', 'nothing', roster?.hash ?? ''] })
    expect(texts[0]).toBe((await ask('readFileText', { file: overlay?.file ?? '' })).text)
    expect(texts[1]).toBeNull()
    expect(texts[2]).toContain('roster:')
    expect(await refusal('labTexts', { hashes: [] })).toBe('bad_arguments')
    expect(await refusal('labTexts', { hashes: Array.from({ length: 257 }, () => 'x') })).toBe(
      'bad_arguments',
    )
  })

  test('stop when an answer is large enough, and go on when asked for the rest', async () => {
    const { ask, home } = await running()
    const nodes = join(home, 'llm/docs/models/nodes')
    for (let i = 0; i < 5; i++)
      await writeFile(join(nodes, `large-${i}.json`), `"${String(i).repeat(100_000)}"`)
    const { lab } = await ask('openLab', { by: 'default' })
    const hashes = lab.files.filter(({ file }) => file.includes('large-')).map(({ hash }) => hash)
    const first = await ask('labTexts', { hashes })
    expect(first.map((text) => text?.at(1))).toEqual(['0', '1', '2'])
    const rest = await ask('labTexts', { hashes: hashes.slice(first.length) })
    expect(rest.map((text) => text?.at(1))).toEqual(['3', '4'])
  })
})

describe('files', () => {
  test('gives the present text of the lab’s files, and of no others', async () => {
    const { ask, refusal, overlay } = await running()
    const { lab } = await ask('openLab', { by: 'default' })
    for (const { file, hash } of lab.files) {
      const [text] = await ask('labTexts', { hashes: [hash] })
      expect(await ask('readFileText', { file })).toEqual({ text, hash })
    }
    await writeFile(overlay, 'sticky: {}\n')
    expect((await ask('readFileText', { file: lab.overlayFile })).text).toBe('sticky: {}\n')
    for (const file of ['/etc/passwd', '~/llm/../llm/docs/models/queue.yaml', '~/.ssh/id', '']) {
      expect(await refusal('readFileText', { file }), file).toBe('bad_arguments')
    }
  })

  test('saves the overlay, reports it, and refuses a version that is no longer on disk', async () => {
    const { ask, told, overlay } = await running()
    const { overlay: base } = await ask('openLab', { by: 'default' })
    const saved = await ask('saveOverlay', { text: 'sticky: {}\n', baseHash: base?.hash ?? null })
    expect(saved.kind).toBe('saved')
    await expect.poll(() => told.at(-1)).toMatchObject({ payload: { overlay: { text: 'sticky: {}\n' } } })
    const again = await ask('saveOverlay', { text: 'other: 1\n', baseHash: base?.hash ?? null })
    expect(again).toMatchObject({ kind: 'conflict', disk: { text: 'sticky: {}\n' } })
    expect(await readFile(overlay, 'utf8')).toBe('sticky: {}\n')
  })

  test('does not write the bundled sample lab, also when it cannot be copied', async () => {
    const bundled = await readFile(join(SAMPLE_LAB, 'docs/models/overlay.yaml'), 'utf8')
    const { ask, refusal, configDir } = await running({ lab: false })
    await writeFile(configDir, 'a file where the folder belongs')
    const { overlay } = await ask('openLab', { by: 'sample' })
    expect(await refusal('saveOverlay', { text: '', baseHash: overlay?.hash ?? null })).toBe('io')
    expect(await readFile(join(SAMPLE_LAB, 'docs/models/overlay.yaml'), 'utf8')).toBe(bundled)
  })

  test('browses folders, hides hidden things, and makes names for new ones that stay inside', async () => {
    const { ask, refusal, home } = await running()
    await mkdir(join(home, '.ssh'))
    await writeFile(join(home, 'notes.txt'), '')
    await writeFile(join(home, 'scenario.json'), '{"schema":"lab-planner.scenario.v1"}')
    await writeFile(join(home, 'secret.json'), '{"key":"lab-planner.scenario.v1"}')
    await symlink(join(home, 'nowhere'), join(home, 'dangling.yaml'))
    const listing = await ask('browse', { token: null })
    expect(listing.here.label).toBe('~')
    expect(listing.folders.map(({ label }) => label)).toEqual(['llm'])
    expect(listing.files.map(({ label }) => label)).toEqual(['scenario.json', 'secret.json'])
    expect(await ask('readPicked', { token: listing.files[0]?.token ?? '' })).toEqual({
      text: '{"schema":"lab-planner.scenario.v1"}',
    })
    expect(await refusal('readPicked', { token: listing.files[1]?.token ?? '' })).toBe('bad_arguments')
    expect(await refusal('readPicked', { token: listing.here.token })).toBe('unknown_token')
    expect(await refusal('browse', { token: listing.files[0]?.token ?? '' })).toBe('unknown_token')
    expect(await refusal('browse', { token: 'nothing' })).toBe('unknown_token')
    const { token } = listing.here
    expect((await ask('childFolder', { token, name: 'out' })).label).toBe('~/out')
    for (const name of ['..', '.', 'a/b', 'a\\b', '/etc', '.hidden', 'a:b', 'a\0b', ' a', 'a.', 'con*']) {
      expect(await refusal('childFolder', { token, name }), name).toBe('bad_arguments')
    }
  })
})

describe('browsing', () => {
  test('offers the home folder and labs, and nothing around them, also through a link', async () => {
    const { ask, refusal, home, host } = await running()
    await symlink('/', join(home, 'root'))
    const listing = await ask('browse', { token: null })
    expect(listing.parent).toBeNull()
    const root = listing.folders.find(({ label }) => label === 'root')
    expect(await refusal('browse', { token: root?.token ?? '' })).toBe('refused')
    const around = await host.offer('/')
    expect(await refusal('browse', { token: around.token })).toBe('refused')
  })

  test('is refused where the host has dialogs', async () => {
    const nothing = () => Promise.resolve(null)
    const { refusal } = await running({ dialogs: { pickFolder: nothing, pickFile: nothing } })
    expect(await refusal('browse', { token: null })).toBe('unsupported')
  })
})

describe('exporting', () => {
  test('previews, writes, and finds the same again', async () => {
    const host = await running()
    await host.ask('openLab', { by: 'default' })
    const request = await exportRequest(host)
    const preview = await host.ask('previewExport', request)
    expect(preview.folder.label).toBe('~/out')
    expect(preview.files.map(({ fileName, state }) => [fileName, state])).toEqual([
      ['coder-daily.json', 'new'],
      ['hermes.json', 'new'],
    ])
    const previewed = preview.files.map(({ fileName, found }) => ({ fileName, found }))
    await host.ask('runExport', { request, force: false, previewed })
    expect(JSON.parse(await readFile(join(host.home, 'out/hermes.json'), 'utf8'))).toMatchObject({
      role: 'hermes',
    })
    const again = await host.ask('previewExport', request)
    expect(again.files.map(({ state }) => state)).toEqual(['same', 'same'])
  })

  test('makes the specs from the overlay text that is sent, saved or not', async () => {
    const host = await running()
    await host.ask('openLab', { by: 'default' })
    const request = await exportRequest(host, {
      overlayText: 'latency_class:\n  hermes: interactive\n',
      roles: ['hermes'],
    })
    const { files } = await host.ask('previewExport', request)
    expect(JSON.parse(files[0]?.newText ?? '')).toMatchObject({ latency_class: 'interactive' })
  })

  test('writes preferences and the plan in both forms', async () => {
    const host = await running()
    await host.ask('openLab', { by: 'default' })
    const names = async (what: ExportRequest['what']) =>
      (
        await host.ask('runExport', {
          request: await exportRequest(host, { what }),
          force: false,
          previewed: [],
        })
      ).files.map(({ fileName, outcome }) => [fileName, outcome])
    expect(await names('preferences')).toEqual([
      ['coder-daily~preference.json', 'written'],
      ['hermes~preference.json', 'written'],
    ])
    expect(await names('plan_markdown')).toEqual([['plan.md', 'written']])
    expect(await names('plan_json')).toEqual([['plan.json', 'written']])
    expect(await readFile(join(host.home, 'out/plan.md'), 'utf8')).toContain('coder-daily')
  })

  test('refuses an overlay with errors, a strange folder, and to write over the lab', async () => {
    const host = await running()
    await host.ask('openLab', { by: 'default' })
    const broken = await exportRequest(host, { overlayText: 'latency: {}\n' })
    expect(await host.refusal('previewExport', broken)).toBe('bad_arguments')
    expect(await host.refusal('previewExport', { ...broken, overlayText: '', folder: '/tmp' })).toBe(
      'unknown_token',
    )
    const nodes = await host.host.offer(join(host.home, 'llm/docs/models/nodes'))
    await writeFile(join(host.home, 'llm/docs/models/nodes/hermes.json'), '{}')
    await host.ask('reload', {})
    const request = await exportRequest(host, { folder: nodes.token, roles: ['hermes'] })
    const { files } = await host.ask('runExport', { request, force: true, previewed: [] })
    expect(files[0]?.outcome).toBe('refused')
    expect(await readFile(join(host.home, 'llm/docs/models/nodes/hermes.json'), 'utf8')).toBe('{}')
  })
})

describe('the person’s surroundings', () => {
  test('without native dialogs says that there are none', async () => {
    const { refusal } = await running()
    expect(await refusal('pickFolder', { purpose: 'export' })).toBe('unsupported')
    expect(await refusal('pickFile', { purpose: 'open_roster' })).toBe('unsupported')
  })

  test('gives a token for what was picked, and shows it in the file manager', async () => {
    const revealed: string[] = []
    const { ask, refusal } = await running({
      dialogs: { pickFolder: () => Promise.resolve('/data/out'), pickFile: () => Promise.resolve(null) },
      reveal: (path) => revealed.push(path),
    })
    const picked = await ask('pickFolder', { purpose: 'export' })
    expect(picked?.label).toBe('/data/out')
    expect(await ask('pickFile', { purpose: 'open_scenario' })).toBeNull()
    await ask('reveal', { what: 'token', token: picked?.token ?? '' })
    const { lab } = await ask('openLab', { by: 'default' })
    await ask('reveal', { what: 'lab_file', file: lab.overlayFile })
    expect(revealed).toEqual(['/data/out', expect.stringContaining('llm/docs/models/overlay.yaml')])
    expect(await refusal('reveal', { what: 'lab_file', file: '/etc/passwd' })).toBe('unknown_token')
    expect(await refusal('reveal', { what: 'token', token: '/etc' })).toBe('unknown_token')
  })

  test('changes what a patch names, notifies all listeners, and keeps the rest', async () => {
    const { ask, told } = await running()
    await ask('changeSettings', { layout: { left: '1' } })
    await ask('changeSettings', { theme: 'dark', layout: { right: '2' } })
    const settings = { theme: 'dark', zoom: 1, layout: { left: '1', right: '2' } }
    expect(await ask('settings', {})).toEqual(settings)
    expect(told.at(-1)).toEqual({ name: 'settingsChanged', payload: settings })
  })

  test('marks a recent lab that is not there any more', async () => {
    const { ask, host, home } = await running()
    const lab = await host.offer(join(home, 'llm'))
    await ask('openLab', { by: 'token', token: lab.token })
    await ask('openLab', { by: 'sample' })
    await rm(join(home, 'llm'), { recursive: true })
    expect(await ask('recentLabs', {})).toMatchObject([{ label: '~/llm', missing: true }])
  })

  test('knows whether the page has something unsaved', async () => {
    const { ask, host } = await running()
    expect(host.isUnsaved()).toBe(false)
    await ask('setUnsaved', { unsaved: true })
    expect(host.isUnsaved()).toBe(true)
  })
})
