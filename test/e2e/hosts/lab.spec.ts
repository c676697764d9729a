import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { ExportRequest } from '../../../shared/host-api.ts'
import { DEFAULT_SCENARIO } from '../../../shared/scenario/scenario.ts'
import { scenarioToJson } from '../../../shared/scenario/scenario-json.ts'
import { askHost, callHost } from '../../support/call-host.ts'
import { expect, test } from '../../support/planner-fixture.ts'
import { SAMPLE_LAB } from '../../support/planner-home.ts'

const ROSTER = 'docs/models/queue.yaml'
/** The lab's name for a person, as this system writes paths. */
const LAB_LABEL = ['~', 'llm'].join(sep)
const OVERLAY = 'docs/models/overlay.yaml'

test('opens the lab in its default place and shows its roles, decisions and problems', async ({
  openPlanner,
}) => {
  const { page } = await openPlanner()
  await expect(page.getByText(LAB_LABEL).first()).toBeVisible()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  await expect(
    page.getByText('Run on mac-studio: it already holds the whole model, nothing is copied.'),
  ).toBeVisible()
  await expect(page.getByText(/\d+ warnings?/).first()).toBeVisible()
})

test('shows a role as soon as it is written to the roster, in place and by rename', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  const roster = join(labDir, ROSTER)
  const text = await readFile(roster, 'utf8')
  const withRole = (id: string) => text.replace('- id: coder-daily', `- id: ${id}`)
  expect(withRole('typed-by-hand')).not.toBe(text)

  await writeFile(roster, withRole('typed-by-hand'))
  await expect(page.getByText('typed-by-hand').first()).toBeVisible()
  await writeFile(`${roster}.tmp`, withRole('saved-by-rename'))
  await rename(`${roster}.tmp`, roster)
  await expect(page.getByText('saved-by-rename').first()).toBeVisible()
})

test('keeps showing a lab that went away, says so, and follows it again when it is back', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  await rename(labDir, `${labDir}-unplugged`)
  await expect
    .poll(async () => (await askHost(page, 'currentLab', {}))?.stale)
    .toBe(`the folder ${LAB_LABEL} is not there`)
  await expect(page.getByText('coder-daily').first()).toBeVisible()

  const roster = join(`${labDir}-unplugged`, ROSTER)
  const text = await readFile(roster, 'utf8')
  await writeFile(roster, text.replace('- id: coder-daily', '- id: back-again'))
  await rename(`${labDir}-unplugged`, labDir)
  await expect(page.getByText('back-again').first()).toBeVisible()
  expect((await askHost(page, 'currentLab', {}))?.stale).toBeNull()
})

test('saves the overlay, and refuses when the file is another one by now', async ({ openPlanner }) => {
  const { page, labDir } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  const base = (await askHost(page, 'currentLab', {}))?.overlay
  const text = 'sticky:\n  hermes: true\n'
  const saved = await askHost(page, 'saveOverlay', { text, baseHash: base?.hash ?? null })
  expect(saved.kind).toBe('saved')
  expect(await readFile(join(labDir, OVERLAY), 'utf8')).toBe(text)

  await writeFile(join(labDir, OVERLAY), 'sticky: {}\n')
  const refused = await askHost(page, 'saveOverlay', {
    text,
    baseHash: saved.kind === 'saved' ? saved.hash : null,
  })
  expect(refused).toMatchObject({ kind: 'conflict', disk: { text: 'sticky: {}\n' } })
  expect(await readFile(join(labDir, OVERLAY), 'utf8')).toBe('sticky: {}\n')
})

test('opens the sample lab when there is none, and saves into the person’s copy of it', async ({
  openPlanner,
}) => {
  const { page, configDir } = await openPlanner({ lab: 'none' })
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  const bundled = await readFile(join(SAMPLE_LAB, OVERLAY), 'utf8')
  const snapshot = await askHost(page, 'currentLab', {})
  expect(snapshot?.origin).toBe('sample')
  await askHost(page, 'saveOverlay', { text: 'sticky: {}\n', baseHash: snapshot?.overlay?.hash ?? null })
  expect(await readFile(join(configDir, 'sample-lab', OVERLAY), 'utf8')).toBe('sticky: {}\n')
  expect(await readFile(join(SAMPLE_LAB, OVERLAY), 'utf8')).toBe(bundled)
})

test('opens the lab that the command line names', async ({ openPlanner }) => {
  const { page } = await openPlanner({ lab: 'none', args: ['--lab', SAMPLE_LAB] })
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  expect((await askHost(page, 'currentLab', {}))?.origin).toBe('argument')
})

test('exports specs to a folder that the page knows by its token only', async ({ openPlanner }) => {
  const { page, home } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  const [lab] = await askHost(page, 'recentLabs', {})
  const folder = await askHost(page, 'childFolder', { token: lab?.token ?? '', name: 'specs' })
  expect(folder.label).toBe(['~', 'llm', 'specs'].join(sep))
  const request: ExportRequest = {
    folder: folder.token,
    what: 'specs',
    format: 'json',
    roles: ['coder-daily'],
    overlayText: '',
    scenario: scenarioToJson(DEFAULT_SCENARIO),
  }
  const preview = await askHost(page, 'previewExport', request)
  expect(preview.files.map(({ fileName, state }) => [fileName, state])).toEqual([['coder-daily.json', 'new']])
  const done = await askHost(page, 'runExport', {
    request,
    force: false,
    previewed: preview.files.map(({ fileName, found }) => ({ fileName, found })),
  })
  expect(done.files).toEqual([{ fileName: 'coder-daily.json', outcome: 'written', reason: null }])
  const spec: unknown = JSON.parse(await readFile(join(home, 'llm/specs/coder-daily.json'), 'utf8'))
  expect(spec).toMatchObject({ role: 'coder-daily', runtime: 'infer.mlx-lm' })
})

test('remembers settings in the person’s folder', async ({ openPlanner }) => {
  const { page, configDir } = await openPlanner({
    settings: { theme: 'dark', zoom: 9, layout: { left: '20' } },
  })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  // What is out of range is the default; the rest is kept.
  expect(await askHost(page, 'settings', {})).toEqual({ theme: 'dark', zoom: 1, layout: { left: '20' } })
  await askHost(page, 'changeSettings', { theme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  expect(JSON.parse(await readFile(join(configDir, 'settings.json'), 'utf8'))).toMatchObject({
    theme: 'light',
  })
})

test('answers wrong calls with data and without paths', async ({ openPlanner }) => {
  const { page, home } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  const wrongType = await callHost(page, 'openLab', { by: 'token', token: 5 } as never)
  expect(wrongType).toMatchObject({ ok: false, error: { code: 'bad_arguments' } })
  const strange = await callHost(page, 'openLab', { by: 'token', token: '../../etc/passwd' })
  expect(strange).toMatchObject({ ok: false, error: { code: 'unknown_token' } })
  const outside = await callHost(page, 'readFileText', { file: '/etc/passwd' })
  expect(outside).toMatchObject({ ok: false, error: { code: 'bad_arguments' } })
  for (const result of [wrongType, strange, outside]) expect(JSON.stringify(result)).not.toContain(home)
})
