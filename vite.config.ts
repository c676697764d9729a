import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { writeNotices } from './scripts/notices.ts'
import { HOST_CALLS, HOST_EVENT_NAMES } from './shared/host-api.ts'

const here = (path: string) => join(import.meta.dirname, path)

/** What is there when the host runs: Electron itself, and the native hash, which is no text to be bundled. */
const alone = { external: ['electron', '@napi-rs/blake-hash'], noExternal: true as const }

/** What each build lists of the libraries in it, for `dist/NOTICES.txt`. */
const LICENSES = { fileName: 'licenses.json' }

/** Puts the solver's WebAssembly beside the thread that runs it: bundling moves script, not what script reads. */
function solverBesideHost(): Plugin {
  return {
    name: 'solver-beside-host',
    applyToEnvironment: ({ name }) => name === 'host',
    async buildStart() {
      const source = await readFile(createRequire(import.meta.url).resolve('highs/runtime'))
      this.emitFile({ type: 'asset', fileName: 'highs.wasm', source })
    },
  }
}

/** What the window needs right after its first script has run. */
const NEEDED_NEXT = ['renderer/panes.tsx', 'shared/lab/read-lab.ts']

/** Has the page fetch {@link NEEDED_NEXT} while its first script is still coming, and not only once that has run. */
function fetchAhead(): Plugin {
  return {
    name: 'fetch-ahead',
    applyToEnvironment: ({ name }) => name === 'client',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = new Set<string>()
        const add = (file: string): void => {
          const chunk = bundle[file]
          if (chunk?.type !== 'chunk' || files.has(file) || html.includes(file)) return
          files.add(file)
          chunk.imports.forEach(add)
        }
        for (const [file, chunk] of Object.entries(bundle)) {
          const module = chunk.type === 'chunk' ? chunk.facadeModuleId : null
          if (NEEDED_NEXT.some((path) => module === here(path))) add(file)
        }
        return [...files].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', fetchpriority: 'low', href: `./${file}` },
          injectTo: 'head',
        }))
      },
    },
  }
}

/**
 * One configuration for everything that is built: the page (`client`), the host's three entries (`host`: Electron's
 * main, the browser host and the terminal, all ESM), the file for other machines (`agent`, CommonJS, as a script from
 * standard input is) and the preload script (CommonJS, as the sandbox wants it).
 */
export default defineConfig({
  plugins: [react({ jsxImportSource: '#jsx' }), solverBesideHost(), fetchAhead()],
  // What makes the page's elements: React's own, with texts of others made harmless.
  resolve: {
    alias: {
      '#jsx/jsx-runtime': here('renderer/jsx/jsx-runtime.ts'),
      '#jsx/jsx-dev-runtime': here('renderer/jsx/jsx-runtime.ts'),
    },
  },
  base: './',
  root: here('renderer'),
  test: {
    root: import.meta.dirname,
    include: ['test/unit/**/*.test.ts', 'test/unit/**/*.test.tsx', 'test/conformance/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    // No test is to depend on the speed of the machine.
    expect: { poll: { timeout: 15_000 } },
    // As in playwright.config.ts.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
  environments: {
    client: {
      build: {
        license: LICENSES,
        outDir: here('dist/renderer'),
        emptyOutDir: true,
        rolldownOptions: { input: here('renderer/index.html') },
      },
    },
    host: {
      consumer: 'server',
      resolve: { ...alone, conditions: ['node', 'import', 'module', 'default'] },
      build: {
        license: LICENSES,
        outDir: here('dist/host'),
        emptyOutDir: true,
        target: 'node20',
        minify: false,
        ssr: true,
        // The solver's WebAssembly; a server build leaves assets out unless it is told not to.
        emitAssets: true,
        rolldownOptions: {
          input: {
            cli: here('electron/cli.ts'),
            main: here('electron/main.ts'),
            serve: here('electron/serve.ts'),
            'hash-worker': here('electron/host/scan/hash-worker.ts'),
            'suggest-worker': here('electron/host/suggest/suggest-worker.ts'),
          },
          external: alone.external,
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
    // One file that is sent to machines that have nothing but Node.
    agent: {
      consumer: 'server',
      resolve: { ...alone, conditions: ['node', 'import', 'module', 'default'] },
      build: {
        license: LICENSES,
        outDir: here('dist/agent'),
        emptyOutDir: true,
        target: 'node20',
        minify: true,
        ssr: true,
        rolldownOptions: {
          input: { agent: here('electron/agent.ts') },
          external: alone.external,
          output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
        },
      },
    },
    preload: {
      consumer: 'server',
      define: {
        CONTRACT_NAMES: JSON.stringify({ calls: Object.keys(HOST_CALLS), events: HOST_EVENT_NAMES }),
      },
      resolve: { ...alone, conditions: ['import', 'module', 'default'] },
      build: {
        license: LICENSES,
        outDir: here('dist/preload'),
        emptyOutDir: true,
        target: 'chrome140',
        minify: true,
        ssr: true,
        rolldownOptions: {
          input: { preload: here('electron/preload.ts') },
          external: ['electron'],
          output: { format: 'cjs', entryFileNames: '[name].cjs' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['client', 'host', 'preload', 'agent']) {
        const environment = builder.environments[name]
        if (environment) await builder.build(environment)
      }
      writeNotices(
        here('dist'),
        ['renderer', 'host', 'preload', 'agent'],
        [here('node_modules/@napi-rs/blake-hash')],
      )
    },
  },
})
