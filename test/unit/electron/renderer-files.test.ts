import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRendererFile } from '../../../electron/renderer-files.ts'
import { tempFolder, writeTree } from '../../support/temp-folder.ts'

async function site(): Promise<string> {
  const folder = await tempFolder()
  await writeTree(folder, {
    'secret.js': 'SECRET',
    'renderer/index.html': '<!doctype html>page',
    'renderer/assets/main.js': 'main',
    'renderer/assets/a b.css': 'css',
    'renderer/.hidden.js': 'SECRET',
    'renderer/notes.txt': 'SECRET',
  })
  await symlink(join(folder, 'secret.js'), join(folder, 'renderer/assets/out.js'))
  await symlink(folder, join(folder, 'renderer/up'))
  await symlink(join(folder, 'renderer/assets/main.js'), join(folder, 'renderer/assets/inside.js'))
  return join(folder, 'renderer')
}

describe('readRendererFile', () => {
  test('gives the page and its files with their kinds', async () => {
    const root = await site()
    const page = await readRendererFile(root, '/')
    expect(page?.body.toString()).toBe('<!doctype html>page')
    expect(page?.contentType).toBe('text/html; charset=utf-8')
    expect((await readRendererFile(root, '/assets/main.js'))?.contentType).toBe(
      'text/javascript; charset=utf-8',
    )
    expect((await readRendererFile(root, '/assets/a%20b.css'))?.body.toString()).toBe('css')
    expect((await readRendererFile(root, '/assets/inside.js'))?.body.toString()).toBe('main')
  })

  test('reaches nothing outside, lists nothing and shows no other kinds of files', async () => {
    const root = await site()
    const paths = [
      '/../secret.js',
      '/assets/../../secret.js',
      '/%2e%2e/secret.js',
      '/..%2fsecret.js',
      '/..%5csecret.js',
      '/assets/%2e%2e%2f%2e%2e%2fsecret.js',
      '/assets/out.js',
      '/up/secret.js',
      '/.hidden.js',
      '/notes.txt',
      '/assets',
      '/assets/',
      '//index.html',
      '/index.html/',
      '/index.html%00.js',
      '/%zz',
      '/C:%5Csecret.js',
      '/index.js:stream.js',
      'index.html',
      '',
    ]
    for (const path of paths) expect(await readRendererFile(root, path), path).toBeNull()
  })

  test('no path at all leads to what is outside', async () => {
    const root = await site()
    const step = fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '..%2f',
      '%2F',
      '\\',
      '%5c',
      'assets',
      'up',
      'out.js',
      'secret.js',
      '',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const file = await readRendererFile(root, `/${steps.join('/')}`)
        return file === null || !file.body.toString().includes('SECRET')
      }),
    )
  })
})
