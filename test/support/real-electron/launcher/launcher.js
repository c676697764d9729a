// What Electron's own default app does with `electron FOLDER`: the substitute that tests run has none.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

const args = process.argv.slice(1)
if (args.includes('--version')) {
  console.log(`v${process.versions.electron}`)
  app.exit(0)
} else {
  const folder = args.find((arg) => !arg.startsWith('-')) ?? dirname(import.meta.dirname)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  Object.assign(process, { defaultApp: true })
  app.setName(manifest.name)
  // Awaited at the top: Electron is not ready before the program has said what must be said before.
  await import(pathToFileURL(join(folder, manifest.main)).href)
}
