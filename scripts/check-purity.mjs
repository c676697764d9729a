// What keeps shared/ pure and no rule of the linter can say: it has no clock and no state of its own. Run by `npm run lint`.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const NO_STATE = 'shared/ has no module-level state: let the owner create a memo, pass it and drop it.'
const NO_CLOCK = 'shared/ has no clock.'

/**
 * Whether a declaration of a module is state: what can be assigned again, what holds others weakly, and an empty
 * collection, which is there to be filled. A constant of a read-only type is none.
 * @param {import('oxc-parser').VariableDeclaration} declaration
 */
function isState({ kind, declarations }) {
  if (kind === 'let' || kind === 'var') return true
  return declarations.some(({ id, init }) => {
    if (init?.type !== 'NewExpression' || init.callee.type !== 'Identifier') return false
    if (init.callee.name.startsWith('Weak')) return true
    if (!['Map', 'Set'].includes(init.callee.name) || init.arguments.length > 0) return false
    const type = id.type === 'Identifier' ? id.typeAnnotation?.typeAnnotation : undefined
    const isReadonly =
      type?.type === 'TSTypeReference' &&
      type.typeName.type === 'Identifier' &&
      type.typeName.name.startsWith('Readonly')
    return !isReadonly
  })
}

/** @param {string} file @returns {string[]} */
function faultsOf(file) {
  const source = readFileSync(join(root, file), 'utf8')
  const { program } = parseSync(file, source)
  /** @type {string[]} */
  const faults = []
  /** @param {{ readonly start: number }} node @param {string} fault */
  const add = (node, fault) => {
    faults.push(`${file}:${source.slice(0, node.start).split('\n').length}: ${fault}`)
  }
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type === 'VariableDeclaration' && isState(declared)) add(declared, NO_STATE)
  }
  new Visitor({
    NewExpression(node) {
      const isNow =
        node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0
      if (isNow) add(node, NO_CLOCK)
    },
  }).visit(program)
  return faults
}

const files = readdirSync(join(root, 'shared'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)
const faults = files.flatMap((file) => faultsOf(join('shared', file)))
for (const fault of faults) console.error(fault)
console.log(
  `purity: ${files.length} files of shared/, ${faults.length === 0 ? 'in order' : `${faults.length} faults`}`,
)
process.exitCode = faults.length === 0 ? 0 : 1
