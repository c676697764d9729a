import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const RENDERER = new URL('../../dist/renderer/', import.meta.url)

/**
 * Kilobytes (1000 bytes) of gzipped script that the page loads before it paints: its entry and what that imports. What is only
 * fetched ahead, at a low priority, is not among it.
 */
export async function firstScriptKilobytes(): Promise<number> {
  const html = (await readFile(new URL('index.html', RENDERER), 'utf8')).replace(
    /<link[^>]* fetchpriority="low"[^>]*>/g,
    '',
  )
  const entries = [...html.matchAll(/<(?:script|link rel="modulepreload")[^>]* (?:src|href)="([^"]+\.js)"/g)]
  const scripts = new Map<string, string>()
  const add = async (url: URL): Promise<void> => {
    if (scripts.has(url.href)) return
    const text = await readFile(fileURLToPath(url), 'utf8')
    scripts.set(url.href, text)
    const imports = [...text.matchAll(/(?:^|[;}])(?:import|export)\b[^;('"`]*?["'](\.\/[^"']+\.js)["']/g)]
    for (const [, path] of imports) if (path !== undefined) await add(new URL(path, url))
  }
  for (const [, path] of entries) if (path !== undefined) await add(new URL(path, RENDERER))
  if (scripts.size === 0) throw new Error('the page is not built: run `npm run build`')
  return [...scripts.values()].reduce((sum, text) => sum + gzipSync(text).length, 0) / 1000
}
