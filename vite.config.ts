import { defineConfig } from 'vitest/config'
import react from '@vitejs/plugin-react'

const alone = { external: ['electron'], noExternal: true as const }

/**
 * One configuration for everything that is built: the page (`client`), the host's three entries (`host`: Electron's
 * main, the browser host and the terminal, all ESM) and the preload script (CommonJS, as the sandbox wants it).
 */
export default defineConfig({
  plugins: [react()],
  base: './',
  root: import.meta.dirname,
  test: {
    include: ['test/unit/**/*.test.ts', 'test/unit/**/*.test.tsx', 'test/conformance/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/renderer',
        emptyOutDir: true,
        rollupOptions: { input: 'renderer/index.html' },
      },
    },
    host: {
      consumer: 'server',
      resolve: { ...alone, conditions: ['node', 'import', 'module', 'default'] },
      build: {
        outDir: 'dist/host',
        emptyOutDir: true,
        target: 'node20',
        minify: false,
        ssr: true,
        rollupOptions: {
          input: { cli: 'electron/cli.ts' },
          external: ['electron'],
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['client', 'host', 'preload']) {
        const environment = builder.environments[name]
        if (environment) await builder.build(environment)
      }
    },
  },
})
