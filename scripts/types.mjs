// Checks the types of every area, each with its own idea of what is around it (no DOM in the host, nothing in shared).
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const AREAS = ['shared', 'electron', 'renderer', 'test', '.']

/**
 * Runs the compiler over one area; resolves to whether its types are sound.
 * @param {string} area
 * @returns {Promise<boolean>}
 */
function check(area) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        tsc,
        '-p',
        area,
        '--incremental',
        '--tsBuildInfoFile',
        `node_modules/.cache/types/${area}.tsbuildinfo`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => {
      if (code !== 0) console.log(output.trimEnd())
      console.log(`types of ${area === '.' ? 'the tools' : area}: ${code === 0 ? 'sound' : 'NOT SOUND'}`)
      resolve(code === 0)
    })
  })
}

const waiting = [...AREAS]
let sound = true
async function work() {
  for (let area = waiting.shift(); area !== undefined; area = waiting.shift())
    sound = (await check(area)) && sound
}
await Promise.all(Array.from({ length: Math.min(2, cpus().length) }, work))
process.exitCode = sound ? 0 : 1
