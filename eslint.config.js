import { readdirSync } from 'node:fs'
import js from '@eslint/js'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import importX from 'eslint-plugin-import-x'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** Folders of the renderer that every feature may use. */
const COMMON = ['ui', 'store']

/** Features of the renderer: none of them may import another (what two need goes to ui/, store/ or shared/). */
const FEATURES = readdirSync(new URL('renderer/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !COMMON.includes(entry.name))
  .map(({ name }) => name)

/** The arrows of the house: renderer → shared ← electron. */
const ZONES = [
  {
    target: './shared',
    from: ['./electron', './renderer', './test'],
    message: 'shared/ is the mind: it imports nothing but itself.',
  },
  { target: './electron', from: ['./renderer', './test'], message: 'The host may import shared/ only.' },
  { target: './renderer', from: ['./electron', './test'], message: 'The page may import shared/ only.' },
  {
    target: './electron/host',
    from: ['./electron'],
    except: ['./host'],
    message: 'electron/host/ is the lab on disk: no Electron, no terminal, no server.',
  },
  {
    target: ['./renderer/ui', './renderer/store'],
    from: FEATURES.map((feature) => `./renderer/${feature}`),
    message: 'ui/ and store/ serve the features and know none of them.',
  },
  ...FEATURES.map((feature) => ({
    target: `./renderer/${feature}`,
    from: FEATURES.filter((other) => other !== feature).map((other) => `./renderer/${other}`),
    message: 'Features never import each other: move what both need to ui/, store/ or shared/.',
  })),
]

const PURE_GLOBALS = [
  'window',
  'document',
  'navigator',
  'localStorage',
  'process',
  'Buffer',
  'fetch',
  'performance',
]

export default tseslint.config(
  { ignores: ['dist/', 'release/', 'node_modules/', 'test-results/', 'playwright-report/', 'coverage/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './shared/tsconfig.json',
          './electron/tsconfig.json',
          './renderer/tsconfig.json',
          './test/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          noWarnOnMultipleProjects: true,
          project: [
            './tsconfig.json',
            './shared/tsconfig.json',
            './electron/tsconfig.json',
            './renderer/tsconfig.json',
          ],
        }),
      ],
      'import-x/extensions': ['.ts', '.tsx', '.js'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: ZONES }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNever: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
    },
  },
  {
    files: ['shared/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['electron', 'react', 'react-dom', 'zustand'],
          patterns: [
            { group: ['node:*', 'react/*', 'react-dom/*', 'electron/*'], message: 'shared/ is pure.' },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...PURE_GLOBALS.map((name) => ({ name, message: 'shared/ is pure.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'shared/ has no clock.' },
        { object: 'Math', property: 'random', message: 'shared/ has no randomness.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'shared/ has no clock.',
        },
        ...[
          "[kind='let']",
          ' > VariableDeclarator > NewExpression.init[callee.name=/^Weak/]',
          // A constant of a read-only type is no cache.
          ' > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.typeName.name=/^Readonly/]) > NewExpression.init[callee.name=/^(Map|Set)$/][arguments.length=0]',
        ].map((state) => ({
          selector: `:matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration${state}`,
          message: 'shared/ has no module-level state: let the owner create a memo, pass it and drop it.',
        })),
      ],
    },
  },
  {
    files: ['electron/host/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'electron', message: 'The host knows no Electron.' }] },
      ],
    },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    ...reactHooks.configs.flat.recommended,
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    rules: {
      // It speaks of the React compiler, which is not used here.
      'react-hooks/incompatible-library': 'off',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['node:*', 'electron'], message: 'The page reaches the disk through HostApi only.' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' },
    },
  },
)
