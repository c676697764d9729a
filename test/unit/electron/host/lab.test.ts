import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadLabFiles, type LoadOptions } from '../../../../electron/host/lab.ts'
import { labPathsByConvention } from '../../../../electron/host/paths.ts'
import type { LabPlace } from '../../../../shared/lab/lab-places.ts'
import type { LabFiles } from '../../../../shared/lab/lab.ts'
import { diskFailingAt } from '../../../support/failing-disk.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'

const WHOLE_LAB = {
  'llm/docs/models/queue.yaml': 'roster: []\n',
  'llm/docs/models/overlay.yaml': 'sticky: {}\n',
  'llm/docs/models/registry.json': '{}',
  'llm/docs/models/manifests/b.json': '"b"',
  'llm/docs/models/manifests/a.json': '"a"',
  'llm/docs/models/nodes/mac.json': '"mac"',
  'llm/docs/models/fleet.yaml': 'nodes: []\n',
}

/** A home folder with a whole lab at `~/llm`, less the files `without`. */
async function homeWithLab(...without: (keyof typeof WHOLE_LAB)[]): Promise<string> {
  const home = await tempFolder()
  const files = Object.entries(WHOLE_LAB).filter(([path]) => !without.some((gone) => gone === path))
  await writeTree(home, Object.fromEntries(files))
  return home
}

async function load(
  home: string,
  given: Partial<Record<LabPlace, string>> = {},
  options: LoadOptions = {},
): Promise<LabFiles> {
  return loadLabFiles(labPathsByConvention('~/llm', given, { cwd: home, home }), options)
}

function told(lab: LabFiles): string[] {
  return lab.problems.map(({ severity, code, file, message }) => {
    return `${severity} ${code} ${file ?? '-'}: ${message}`
  })
}

const DOCS = '~/llm/docs/models'

describe('loadLabFiles', () => {
  test('reads model shapes where there are any, and says nothing where there are none', async () => {
    const home = await homeWithLab()
    await writeTree(home, { 'llm/docs/models/shapes/c.json': '"c"' })
    const lab = await load(home)
    expect(told(lab)).toEqual([])
    expect(lab.files.filter(({ kind }) => kind === 'shape')).toMatchObject([
      { file: `${DOCS}/shapes/c.json`, text: '"c"' },
    ])
  })

  test('reads everything of a lab, folders by name, and says nothing when nothing is wrong', async () => {
    const lab = await load(await homeWithLab())
    expect(told(lab)).toEqual([])
    expect(lab.name).toBe('~/llm')
    expect(lab.overlayFile).toBe(`${DOCS}/overlay.yaml`)
    expect(lab.files.map(({ kind, file, text }) => [kind, file, text])).toEqual([
      ['roster', `${DOCS}/queue.yaml`, 'roster: []\n'],
      ['overlay', `${DOCS}/overlay.yaml`, 'sticky: {}\n'],
      ['registry', `${DOCS}/registry.json`, '{}'],
      ['manifest', `${DOCS}/manifests/a.json`, '"a"'],
      ['manifest', `${DOCS}/manifests/b.json`, '"b"'],
      ['node', `${DOCS}/nodes/mac.json`, '"mac"'],
      ['fleet', `${DOCS}/fleet.yaml`, 'nodes: []\n'],
    ])
  })

  test('says that the whole lab is missing in one problem', async () => {
    const home = await tempFolder()
    expect(told(await load(home))).toEqual([
      'error lab-missing ~/llm: Cannot open the lab: there is no such file or folder. ' +
        'Name the folder that holds docs/models/queue.yaml.',
    ])
    await writeFile(join(home, 'llm'), 'roster: []')
    expect(told(await load(home))).toEqual([
      'error lab-not-a-folder ~/llm: This is a file, not the folder of a lab. ' +
        'Name the folder, or the file as the roster.',
    ])
  })

  test('says each missing file, and how bad that is', async () => {
    const home = await tempFolder()
    await mkdir(join(home, 'llm'))
    expect(told(await load(home))).toEqual([
      `error file-missing ${DOCS}/queue.yaml: There is no roster here. Put one here, or name another.`,
      `info file-missing ${DOCS}/overlay.yaml: There is no overlay: the defaults hold. ` +
        'The first saved edit makes the file.',
      `warning file-missing ${DOCS}/registry.json: There is no model registry here, nor a folder of model ` +
        `manifests (${DOCS}/manifests). Add one: no role has any.`,
      `warning file-missing ${DOCS}/nodes: There is no folder of node facts here, nor fleet notes ` +
        `(${DOCS}/fleet.yaml). Add one: no node is known.`,
    ])
  })

  test('only mentions a missing file when another holds the same', async () => {
    const oneOfEach = await load(
      await homeWithLab('llm/docs/models/registry.json', 'llm/docs/models/nodes/mac.json'),
    )
    expect(oneOfEach.problems.map(({ severity, file }) => [severity, file])).toEqual([
      ['info', `${DOCS}/registry.json`],
      ['info', `${DOCS}/nodes`],
    ])
    const otherOfEach = await load(
      await homeWithLab(
        'llm/docs/models/manifests/a.json',
        'llm/docs/models/manifests/b.json',
        'llm/docs/models/fleet.yaml',
      ),
    )
    expect(otherOfEach.problems.map(({ severity, file }) => [severity, file])).toEqual([
      ['info', `${DOCS}/manifests`],
      ['info', `${DOCS}/fleet.yaml`],
    ])
  })

  test('takes a missing file that was named for an error, and reads the others', async () => {
    const home = await homeWithLab()
    const lab = await load(home, { overlay: 'my.yaml', nodes: '~/facts' })
    expect(told(lab)).toEqual([
      'error file-missing my.yaml: Cannot read the overlay: there is nothing of that name: check the path.',
      'error file-missing ~/facts: Cannot read the folder of node facts: there is nothing of that name: ' +
        'check the path.',
    ])
    expect(lab.files.map(({ kind }) => kind)).toEqual(['roster', 'registry', 'manifest', 'manifest', 'fleet'])
    expect(lab.overlayFile).toBe('my.yaml')
  })

  test('reads named files without a lab', async () => {
    const home = await tempFolder()
    await writeTree(home, { 'q.yaml': 'roster: []', 'facts/n.json': '{}' })
    const lab = await load(home, { roster: 'q.yaml', nodes: 'facts' })
    expect(lab.files.map(({ file }) => file)).toEqual(['q.yaml', 'facts/n.json'])
    expect(lab.problems.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('names a folder, a named pipe and a file in each other’s place', async () => {
    const home = await homeWithLab(
      'llm/docs/models/queue.yaml',
      'llm/docs/models/overlay.yaml',
      'llm/docs/models/nodes/mac.json',
    )
    const docs = join(home, 'llm/docs/models')
    await mkdir(join(docs, 'queue.yaml'))
    execFileSync('mkfifo', [join(docs, 'overlay.yaml')])
    await writeFile(join(docs, 'nodes'), '{}')
    await mkdir(join(docs, 'manifests/folder.json'))
    const lab = await load(home)
    expect(told(lab)).toEqual([
      `error file-not-a-file ${DOCS}/queue.yaml: Cannot read the roster: it is a folder, not a file.`,
      `error file-not-a-file ${DOCS}/overlay.yaml: Cannot read the overlay: it is a named pipe, not a file.`,
      `error file-not-a-file ${DOCS}/manifests/folder.json: ` +
        'Cannot read the model manifest: it is a folder, not a file.',
      `error file-not-a-folder ${DOCS}/nodes: ` +
        'Cannot read the folder of node facts: it is a file, not a folder.',
    ])
    expect(lab.files.map(({ kind }) => kind)).toEqual(['registry', 'manifest', 'manifest', 'fleet'])
  })

  test('holds each kind of file to its own size', async () => {
    const home = await homeWithLab()
    const docs = join(home, 'llm/docs/models')
    const mebibyte = 1024 * 1024
    for (const name of ['queue.yaml', 'overlay.yaml', 'manifests/a.json', 'nodes/mac.json', 'fleet.yaml']) {
      await writeFile(join(docs, name), Buffer.alloc(mebibyte + 1, ' '))
    }
    await writeFile(join(docs, 'registry.json'), Buffer.alloc(16 * mebibyte, ' '))
    const lab = await load(home)
    expect(lab.files.map(({ file }) => file)).toEqual([`${DOCS}/registry.json`, `${DOCS}/manifests/b.json`])
    expect(lab.problems.map(({ code }) => code)).toEqual(Array(5).fill('file-too-large'))
    await writeFile(join(docs, 'registry.json'), Buffer.alloc(16 * mebibyte + 1, ' '))
    expect(told(await load(home))).toContain(
      `error file-too-large ${DOCS}/registry.json: ` +
        'Cannot read the model registry: it is over 16 MiB, the most that is read.',
    )
  })

  test('names files that are not UTF-8', async () => {
    const home = await homeWithLab()
    await writeFile(join(home, 'llm/docs/models/queue.yaml'), Buffer.from([0x61, 0xff]))
    expect(told(await load(home))).toEqual([
      `error file-not-utf8 ${DOCS}/queue.yaml: ` +
        'Cannot read the roster: it is not UTF-8 (see line 1): save it as UTF-8.',
    ])
  })

  test('names files and folders it may not read', async () => {
    const home = await homeWithLab()
    const noNodes = diskFailingAt('readdir', 'EACCES', (path) => path.endsWith('nodes'))
    expect(told(await load(home, {}, { disk: noNodes }))).toEqual([
      `error file-unreadable ${DOCS}/nodes: ` +
        'Cannot read the folder of node facts: permission denied: allow your account to use it.',
    ])
    const noRoster = diskFailingAt('open', 'EACCES', (path) => path.endsWith('queue.yaml'))
    expect(told(await load(home, {}, { disk: noRoster }))).toEqual([
      `error file-unreadable ${DOCS}/queue.yaml: ` +
        'Cannot read the roster: permission denied: allow your account to use it.',
    ])
  })

  test('follows links to the lab, its folders and its files, and says where one leads nowhere', async () => {
    const home = await homeWithLab()
    const docs = join(home, 'llm/docs/models')
    await rename(join(home, 'llm'), join(home, 'real-llm'))
    await symlink('real-llm', join(home, 'llm'))
    await rename(join(docs, 'nodes'), join(home, 'facts'))
    await symlink(join(home, 'facts'), join(docs, 'nodes'))
    await rename(join(docs, 'queue.yaml'), join(home, 'q.yaml'))
    await symlink('../../../q.yaml', join(docs, 'queue.yaml'))
    const lab = await load(home)
    expect(told(lab)).toEqual([])
    expect(lab.files.map(({ file }) => file)).toContain(`${DOCS}/nodes/mac.json`)
    expect(lab.files[0]).toMatchObject({ kind: 'roster', text: 'roster: []\n' })

    await unlink(join(home, 'q.yaml'))
    expect(told(await load(home))).toEqual([
      `error file-dangling-link ${DOCS}/queue.yaml: ` +
        'Cannot read the roster: it is a link to ../../../q.yaml, which is not there.',
    ])
  })

  test('reads a roster that is write-protected', async () => {
    const home = await homeWithLab()
    await chmod(join(home, 'llm/docs/models/queue.yaml'), 0o444)
    expect((await load(home)).files[0]).toMatchObject({ kind: 'roster', text: 'roster: []\n' })
  })

  test('takes the visible .json files of a folder, in code point order', async () => {
    const home = await homeWithLab('llm/docs/models/nodes/mac.json')
    const plain = ['b.json', 'a.json', 'B.json', '\u{1F600}.json', '\uFF5E.json']
    const names = [...plain, '.hidden.json', 'c.yaml', 'd.json.bak']
    await writeTree(home, Object.fromEntries(names.map((name) => [`llm/docs/models/nodes/${name}`, '{}'])))
    const nodes = (await load(home)).files.filter(({ kind }) => kind === 'node')
    expect(nodes.map(({ file }) => file.slice(`${DOCS}/nodes/`.length))).toEqual([
      'B.json',
      'a.json',
      'b.json',
      '\uFF5E.json',
      '\u{1F600}.json',
    ])
  })

  test('reads ten thousand node files', async () => {
    const home = await homeWithLab()
    const count = 10_000
    const folder = join(home, 'llm/docs/models/nodes')
    const names = Array.from({ length: count }, (_, i) => `node-${String(i).padStart(5, '0')}.json`)
    for (const name of names) await writeFile(join(folder, name), JSON.stringify(name))
    const lab = await load(home)
    expect(lab.problems).toEqual([])
    const nodes = lab.files.filter(({ kind, file }) => kind === 'node' && file.includes('node-'))
    expect(nodes.map(({ text }) => text)).toEqual(names.map((name) => JSON.stringify(name)))
  })

  test('reads one place from standard input, within that place’s size', async () => {
    const home = await homeWithLab()
    const readStdin = (): Promise<Uint8Array> => Promise.resolve(Buffer.from('roster: [] # piped\n'))
    const lab = await load(home, { roster: '-' }, { readStdin })
    expect(told(lab)).toEqual([])
    expect(lab.files[0]).toMatchObject({ file: '<stdin>', text: 'roster: [] # piped\n' })

    const twice = await load(home, { roster: '-', overlay: '-' }, { readStdin })
    expect(told(twice)).toEqual([
      'error file-unreadable <stdin>: ' +
        'Cannot read the overlay: standard input is read once only, and it was the roster.',
    ])
    const endless = await load(
      home,
      { fleet: '-' },
      { readStdin: (maxBytes) => Promise.resolve(new Uint8Array(maxBytes + 1)) },
    )
    expect(endless.problems).toMatchObject([{ code: 'file-too-large', file: '<stdin>' }])
    expect((await load(home, { fleet: '-' })).problems).toMatchObject([{ code: 'file-unreadable' }])
  })
})
