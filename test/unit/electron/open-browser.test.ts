import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { browserCommand, hasDisplay, openBrowser } from '../../../electron/open-browser.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const linux = (env: Record<string, string>, isRoot = false) => ({ env, platform: 'linux', isRoot }) as const

describe('browserCommand', () => {
  test('opens a Chromium that is installed in a window and a profile of its own', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'chromium'), '')
    await chmod(join(folder, 'chromium'), 0o755)
    const command = browserCommand('file:///x', '/tmp/p', linux({ PATH: `/nowhere:${folder}` }))
    expect(command.program).toBe('chromium')
    expect(command.args).toContain('--app=file:///x')
    expect(command.args).toContain(`--user-data-dir=${join('/tmp/p', 'profile')}`)
    expect(command.args).not.toContain('--no-sandbox')
    expect(browserCommand('file:///x', '/tmp/p', linux({ PATH: folder }, true)).args).not.toContain(
      '--no-sandbox',
    )
  })

  test('leaves the choice to the system elsewhere', () => {
    expect(browserCommand('u', '/t', linux({ PATH: '' }))).toEqual({
      program: 'xdg-open',
      args: ['u'],
      isOwn: false,
    })
    expect(browserCommand('u', '/t', { env: {}, platform: 'darwin', isRoot: false }).program).toBe('open')
    expect(browserCommand('u', '/t', { env: {}, platform: 'win32', isRoot: false }).program).toBe('rundll32')
  })
})

describe('openBrowser', () => {
  test('needs a display on Linux, of either kind', () => {
    expect(hasDisplay({ env: {}, platform: 'linux' })).toBe(false)
    expect(hasDisplay({ env: { DISPLAY: ':0' }, platform: 'linux' })).toBe(true)
    expect(hasDisplay({ env: { WAYLAND_DISPLAY: 'wayland-0' }, platform: 'linux' })).toBe(true)
    expect(hasDisplay({ env: {}, platform: 'darwin' })).toBe(true)
  })

  test('never turns the sandbox off: as root it says what to do instead of starting Chromium', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'chromium'), '')
    await chmod(join(folder, 'chromium'), 0o755)
    expect(await openBrowser('http://x/', linux({ PATH: folder, DISPLAY: ':0' }, true))).toEqual({
      ok: false,
      reason: 'Chromium does not run as root with its sandbox; use an ordinary account',
    })
  })

  test('says why it opened none', async () => {
    expect(await openBrowser('http://x/', linux({}))).toEqual({ ok: false, reason: 'there is no display' })
  })
})
