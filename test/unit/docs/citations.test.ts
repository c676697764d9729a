import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const SELF = relative(ROOT, import.meta.filename)

function filesBelow(folder: string, extensions: readonly string[]): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => extensions.includes(extname(name)))
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const CODE = [
  ...['shared', 'electron', 'renderer', 'test', 'scripts', 'bin'].flatMap((folder) =>
    filesBelow(folder, ['.ts', '.tsx', '.js', '.mjs', '.css']),
  ),
  'vite.config.ts',
  'playwright.config.ts',
  '.oxlintrc.json',
].filter((file) => file !== SELF)

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'test/conformance/vectors/README.md',
  ...filesBelow('docs', ['.md']),
]

/** A text without the line breaks that comments and pages are wrapped with. */
const unwrapped = (text: string): string => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, ' ')

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

const headingsOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.trim())

/** The anchor that a heading gets where Markdown is shown on the web. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

const RULES: ReadonlyMap<string, string> = new Map(
  unwrapped(textOf('docs/reference.md').replaceAll('\n- **', '\0- **').replaceAll('\n## ', '\0## '))
    .split('\0')
    .flatMap((part) => {
      const [, rule, text] = /^- \*\*([A-Z]\d+)\.\*\* (.*)$/.exec(part.trim()) ?? []
      return rule === undefined || text === undefined ? [] : [[rule, text] as const]
    }),
)

/** What is wrong with the citations in `text`: of a rule, of a heading, or of what is not in the repository. */
function badCitations(text: string): string[] {
  const flat = unwrapped(text)
  const bad: string[] = []
  for (const [, cited = ''] of flat.matchAll(/docs\/reference\.md(?=(.{0,60}))/g)) {
    const rules = /^ ([A-Z]\d+(?:(?:, | and | to )[A-Z]\d+)*)/.exec(cited)?.[1]?.match(/[A-Z]\d+/g)
    if (!rules) bad.push(`docs/reference.md${cited} names no rule`)
    for (const rule of rules ?? []) if (!RULES.has(rule)) bad.push(`there is no rule ${rule}`)
  }
  // `Roster (queue.yaml)` is cited as "Roster".
  const headings = new Set(
    headingsOf(textOf('docs/formats.md')).map((heading) => heading.replace(/ \(.*\)$/, '')),
  )
  for (const [, cited = ''] of flat.matchAll(/docs\/formats\.md(?=(.{0,120}))/g)) {
    const names = /^((?:, "[^"]+")+)/.exec(cited)?.[1]?.match(/(?<=")[^",][^"]*(?=")/g)
    if (!names) bad.push(`docs/formats.md${cited} names no heading`)
    for (const name of names ?? []) if (!headings.has(name)) bad.push(`there is no heading "${name}"`)
  }
  // Names of the reference's own sources mean nothing to anyone who has only this repository.
  for (const [found] of flat.matchAll(/\b[\w-]+\.rs\b|\bFORMATS\.md|\(reference: [^)]*\)/g)) {
    bad.push(`${found} is not in the repository`)
  }
  return bad
}

/** What is wrong with the relative links of the page `file`. */
function badLinks(file: string): string[] {
  const bad: string[] = []
  for (const [, target = ''] of withoutFences(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    const [path = '', anchor] = target.split('#')
    const wanted = path === '' ? file : relative(ROOT, resolve(ROOT, dirname(file), path))
    let text: string
    try {
      text = extname(wanted) === '.png' ? (readFileSync(join(ROOT, wanted)), '') : textOf(wanted)
    } catch {
      bad.push(`${target}: there is no ${wanted}`)
      continue
    }
    if (anchor !== undefined && !headingsOf(text).map(anchorOf).includes(anchor)) {
      bad.push(`${target}: ${wanted} has no heading for #${anchor}`)
    }
  }
  return bad
}

describe('what code cites is in the repository', () => {
  test('a wrong citation is found', () => {
    expect(badCitations('/** (docs/reference.md\n * D1 and D10) */')).toEqual([])
    expect(badCitations('// docs/formats.md, "Model\n// manifest"')).toEqual([])
    expect(badCitations('docs/reference.md D99, docs/reference.md')).toEqual([
      'there is no rule D99',
      'docs/reference.md names no rule',
    ])
    expect(badCitations('docs/formats.md, "Nowhere"')).toEqual(['there is no heading "Nowhere"'])
    expect(badCitations('(reference: decide)')).toEqual(['(reference: decide) is not in the repository'])
  })

  test('every citation names a rule or a heading that exists', () => {
    const bad = CODE.flatMap((file) => badCitations(textOf(file)).map((message) => `${file}: ${message}`))
    expect(bad).toEqual([])
  })

  test('code cites rules of every part of the reference', () => {
    const cited = new Set(CODE.flatMap((file) => textOf(file).match(/(?<=docs\/reference\.md )[A-Z]/g) ?? []))
    expect(
      [...new Set([...RULES.keys()].map((rule) => rule.charAt(0)))].filter((part) => !cited.has(part)),
    ).toEqual([])
  })
})

describe('docs/reference.md', () => {
  test('numbers its rules without gaps or repeats', () => {
    const found = [...textOf('docs/reference.md').matchAll(/^- \*\*([A-Z])(\d+)\.\*\*/gm)]
    const next = new Map<string, number>()
    for (const [, part = '', number = ''] of found) {
      expect(`${part}${number}`).toBe(`${part}${next.get(part) ?? 1}`)
      next.set(part, Number(number) + 1)
    }
    expect(RULES.size).toBe(found.length)
  })

  test('points to vectors that are there', () => {
    const bad: string[] = []
    for (const [rule, text] of RULES) {
      const [, file = '', shown = ''] = /_Vectors:_ `([\w.]+)`: (.*)$/.exec(text) ?? []
      if (file === '') continue
      const vectors = JSON.parse(textOf(`test/conformance/vectors/${file}`)) as {
        name?: string
        backend?: string
      }[]
      const names = new Set(vectors.map(({ name, backend }) => name ?? backend))
      const all = JSON.stringify(vectors)
      for (const [, item = ''] of shown.matchAll(/`([^`]+)`/g)) {
        const isThere = item.startsWith('"') ? all.includes(item) : names.has(item)
        if (!isThere) bad.push(`${rule}: ${file} has no ${item}`)
      }
    }
    expect(bad).toEqual([])
  })
})

describe('pages', () => {
  test.each(PAGES)('%s has no dead relative link', (file) => {
    expect(badLinks(file)).toEqual([])
  })

  test('the index of decisions lists every record once, in order', () => {
    const records = readdirSync(join(ROOT, 'docs/decisions'))
      .filter((name) => name !== 'README.md')
      .sort()
    const listed = [...textOf('docs/decisions/README.md').matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(
      ([, name]) => name,
    )
    expect(listed).toEqual(records)
    const numbers = records.map((name) => name.slice(0, 4))
    expect(numbers).toEqual(numbers.map((_, i) => String(i + 1).padStart(4, '0')))
    for (const name of records)
      expect(textOf(`docs/decisions/${name}`)).toMatch(/^# \d+\. .+\n\nDate: \d{4}-\d\d-\d\d\n/)
  })
})
