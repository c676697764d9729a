import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

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

const SCRIPTS = ['**/*.js', '**/*.mjs']

export default tseslint.config(
  { ignores: ['dist/', 'release/', 'node_modules/', 'test-results/', 'playwright-report/', 'coverage/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // One program for all: with one for each area, what they share would be checked again and again.
        project: './tsconfig.lint.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
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
  { files: SCRIPTS, ...tseslint.configs.disableTypeChecked },
  {
    files: SCRIPTS,
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' },
    },
  },
)
