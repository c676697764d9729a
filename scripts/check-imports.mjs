// The arrows of the house (docs/architecture.md): who may import whom, and no cycle. Run by `npm run lint`.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const ROOMS = ['shared', 'electron', 'renderer']

/** The layers of shared/, from the bottom up. A folder takes values from its own layer and those below. */
const LAYERS = [
  ['yaml', 'json', 'roster', 'overlay', 'model-manifest', 'model-files', 'node', 'lab', 'memory'],
  ['scenario', 'eligibility', 'locality', 'scan', 'draft', 'gather'],
  ['placement'],
  ['plan', 'advice', 'suggest', 'live'],
  ['report', 'compare', 'export', 'runbook'],
]
/** @type {ReadonlyMap<string, number>} */
const LAYER_OF = new Map(LAYERS.flatMap((folders, layer) => folders.map((folder) => [folder, layer])))

/**
 * @typedef {{ readonly from: string, readonly to: string, readonly isType: boolean, readonly line: number }} Import
 */

/** @param {string} folder @returns {string[]} */
function sourcesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ['.ts', '.tsx'].includes(extname(entry.name)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

/** @param {string} file @returns {Import[]} */
function importsOf(file) {
  const source = readFileSync(join(root, file), 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module
  /** @param {string} module @param {number} start @param {boolean} isType @returns {Import[]} */
  const imported = (module, start, isType) => {
    if (!module.startsWith('.')) return []
    const to = normalize(join(dirname(file), module))
      .split(sep)
      .join('/')
    return [{ from: file, to, isType, line: source.slice(0, start).split('\n').length }]
  }
  return [
    ...staticImports.flatMap(({ moduleRequest, start, entries }) =>
      imported(moduleRequest.value, start, entries.length > 0 && entries.every(({ isType }) => isType)),
    ),
    ...staticExports.flatMap(({ start, entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null ? [] : imported(moduleRequest.value, start, isType),
      ),
    ),
    ...dynamicImports.flatMap(({ moduleRequest, start }) =>
      imported(source.slice(moduleRequest.start + 1, moduleRequest.end - 1), start, false),
    ),
  ]
}

/** Why an import is not allowed, or null. @param {Import} one */
function fault({ from, to, isType }) {
  const [room, folder = ''] = from.split('/')
  const [other, otherFolder = ''] = to.split('/')
  if (room !== other && ROOMS.includes(other ?? '') && other !== 'shared')
    return `${room}/ imports itself and shared/ only`
  if (other === 'test') return 'the product does not import its tests'
  if (room !== other || folder === otherFolder) return null
  if (room === 'electron' && folder === 'host')
    return 'electron/host/ is the lab on disk: no Electron, no terminal, no server'
  const isCommon = ['ui', 'store'].includes(otherFolder)
  if (room === 'renderer' && folder.indexOf('.') === -1 && !isCommon && to.split('/').length > 2)
    return ['ui', 'store'].includes(folder)
      ? 'ui/ and store/ serve the features and import none of them'
      : 'features never import each other: move what both need to ui/, store/ or shared/'
  if (room === 'shared' && to.split('/').length > 2 && from.split('/').length > 2) {
    const [layer, below] = [LAYER_OF.get(folder), LAYER_OF.get(otherFolder)]
    if (layer === undefined || below === undefined)
      return `shared/${layer === undefined ? folder : otherFolder}/ has no layer: give it one in scripts/check-imports.mjs`
    if (below > layer && !isType)
      return `${folder}/ is below ${otherFolder}/: it may take types from it, no values`
  }
  return null
}

/** Every cycle of value imports that a walk finds, once. @param {ReadonlyMap<string, readonly Import[]>} imports */
function cycles(imports) {
  /** @type {string[][]} */
  const found = []
  /** @type {Map<string, 'open' | 'done'>} */
  const state = new Map()
  /** @type {string[]} */
  const path = []
  /** @param {string} file */
  const walk = (file) => {
    state.set(file, 'open')
    path.push(file)
    for (const { to, isType } of imports.get(file) ?? []) {
      if (isType) continue
      if (state.get(to) === 'open') found.push([...path.slice(path.indexOf(to)), to])
      else if (state.get(to) === undefined) walk(to)
    }
    path.pop()
    state.set(file, 'done')
  }
  for (const file of imports.keys()) if (state.get(file) === undefined) walk(file)
  return found
}

const imports = new Map(ROOMS.flatMap(sourcesIn).map((file) => [file, importsOf(file)]))
const faults = [...imports.values()].flat().flatMap((one) => {
  const reason = fault(one)
  return reason === null ? [] : [`${one.from}:${one.line}: imports ${one.to}: ${reason}`]
})
const problems = [...faults, ...cycles(imports).map((cycle) => `a cycle of imports: ${cycle.join(' → ')}`)]
for (const problem of problems) console.error(problem)
console.log(
  `imports: ${imports.size} files, ${problems.length === 0 ? 'in order' : `${problems.length} problems`}`,
)
process.exitCode = problems.length === 0 ? 0 : 1
