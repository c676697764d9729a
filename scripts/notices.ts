import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A library that is shipped, as Vite lists what it bundled (`build.license`). */
export interface ShippedLibrary {
  readonly name: string
  readonly version: string
  /** The SPDX identifier its package declares. */
  readonly identifier?: string
  /** Its licence text, when the package has one. */
  readonly text?: string
}

/** Licences that ask for no more than their notice. A library under another fails the build. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
])

const MIT_TERMS = 'Permission is hereby granted'
const RULE = '-'.repeat(80)

/**
 * The notices of `libraries`, each version once, by name.
 *
 * @throws when a library's licence is not on the short list, or its text can be had from nowhere: neither may be shipped.
 */
export function noticesText(libraries: readonly ShippedLibrary[]): string {
  const unique = [
    ...new Map(libraries.map((library) => [`${library.name}@${library.version}`, library])).values(),
  ]
  const refused = unique.filter(({ identifier }) => identifier === undefined || !ALLOWED.has(identifier))
  if (refused.length > 0) {
    const names = refused.map(
      ({ name, version, identifier }) => `${name} ${version} (${identifier ?? 'none'})`,
    )
    throw new Error(
      `These libraries are bundled under a license that is not on the list in scripts/notices.ts: ${names.join(', ')}. ` +
        'Use another library, or decide about the license in docs/decisions/ and add it.',
    )
  }
  const mitTerms = unique.map(({ text }) => text).find((text) => text?.includes(MIT_TERMS))
  const sections = unique
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
    .map((library) => {
      const { name, version, identifier } = library
      return `${RULE}\n${name} ${version} (${identifier ?? ''})\n${RULE}\n\n${licenceText(library, mitTerms)}\n`
    })
  return (
    'Lab Planner contains these libraries. Their licenses follow; Lab Planner’s own is in LICENSE.\n\n' +
    sections.join('\n')
  )
}

/** A package without a text of its own gets the terms that it names, with its authors as the holders. */
function licenceText({ name, identifier, text }: ShippedLibrary, mitTerms: string | undefined): string {
  if (text !== undefined && text.trim() !== '') return text.trim().replaceAll('\r\n', '\n')
  if (identifier === 'MIT' && mitTerms !== undefined) {
    return `Copyright (c) the authors of ${name}\n\n${mitTerms.slice(mitTerms.indexOf(MIT_TERMS)).trim()}`
  }
  throw new Error(`${name} has no license text: find it and add it in scripts/notices.ts.`)
}

/**
 * Writes `dist/NOTICES.txt` from the lists that the builds left (`licenses.json`, removed then) and from `beside`: the
 * package folders of what is shipped without being bundled.
 */
export function writeNotices(dist: string, builds: readonly string[], beside: readonly string[]): void {
  const bundled = builds.flatMap((build): ShippedLibrary[] => {
    const list = join(dist, build, 'licenses.json')
    const libraries = JSON.parse(readFileSync(list, 'utf8')) as ShippedLibrary[]
    rmSync(list)
    return libraries
  })
  const text = noticesText([...bundled.map(withThirdParties), ...beside.map(libraryAt)])
  writeFileSync(join(dist, 'NOTICES.txt'), text)
}

function libraryAt(folder: string): ShippedLibrary {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license: string
  }
  return { name, version, identifier: license, text: readFileSync(join(folder, 'LICENSE'), 'utf8') }
}

const MODULES = join(dirname(import.meta.dirname), 'node_modules')

/** A library that carries others inside its own files says so in a file of its own. */
function withThirdParties(library: ShippedLibrary): ShippedLibrary {
  const file = join(MODULES, library.name, 'ThirdPartyNotices.txt')
  if (!existsSync(file)) return library
  return { ...library, text: `${library.text ?? ''}\n\n${readFileSync(file, 'utf8')}` }
}
