import { register } from 'node:module'

/** Makes `import 'electron'` give the double, for a program that was built for the real one. */
const double = new URL('./electron.ts', import.meta.url).href
const hook = `
  export async function resolve(specifier, context, next) {
    return next(specifier === 'electron' ? ${JSON.stringify(double)} : specifier, context)
  }`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
