#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'

const built = new URL('../dist/host/cli.js', import.meta.url)

if (existsSync(built)) {
  // From Node 22.1 on: what was compiled once is not compiled again.
  const { enableCompileCache } = /** @type {{ enableCompileCache?: () => void }} */ (nodeModule)
  enableCompileCache?.()
  const { main } = await import(built.href)
  await main()
} else {
  console.error('lab-planner: it is not built yet: run `npm run build` in its folder')
  process.exitCode = 1
}
