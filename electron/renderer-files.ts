import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** A file of the built page. */
export interface RendererFile {
  readonly body: Buffer
  readonly contentType: string
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
}

/**
 * The file that a URL's path names inside `root`, or null when there is none: folders are not listed, kinds
 * of files that a page is not made of are not served, and nothing outside is reached, be it by `..`, by
 * encoded separators or by a link.
 *
 * @param urlPath still percent-encoded, without query; `/` is the page itself.
 */
export async function readRendererFile(root: string, urlPath: string): Promise<RendererFile | null> {
  const parts = partsOf(urlPath)
  if (parts === null) return null
  const contentType = CONTENT_TYPES[extname(parts.at(-1) ?? '').toLowerCase()]
  if (contentType === undefined) return null
  try {
    const path = join(root, ...parts)
    const real = await realpath(path)
    if (!real.startsWith((await realpath(root)) + sep)) return null
    return (await stat(real)).isFile() ? { body: await readFile(real), contentType } : null
  } catch {
    return null
  }
}

/** The plain names of a path's steps, or null when one of them is not plain. */
function partsOf(urlPath: string): string[] | null {
  if (urlPath === '/') return ['index.html']
  if (!urlPath.startsWith('/')) return null
  const parts: string[] = []
  for (const encoded of urlPath.slice(1).split('/')) {
    const part = decoded(encoded)
    // Hidden files and `..` begin with a dot; separators, drives and streams of Windows have no place in a
    // name.
    if (part === null || part === '' || part.startsWith('.') || /[/\\:\0]/.test(part)) return null
    parts.push(part)
  }
  return parts
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
