import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { makeHome } from '../../support/planner-home.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Elsewhere there always is a display. */
const onLinux = process.platform === 'linux' ? test : () => undefined

onLinux(
  'npm start without a display says so, serves the page, and ends when it is told',
  async ({ browser }) => {
    const home = await makeHome()
    const env = { ...home.env, DISPLAY: '', WAYLAND_DISPLAY: '' }
    const child = spawn(process.execPath, ['scripts/start.mjs', '--port', '0'], { cwd: ROOT, env })
    const exited = once(child, 'exit')
    const text = outputOf(child)
    await expect.poll(text).toContain('Lab Planner listens on http://127.0.0.1:')
    expect(text()).toContain('lab-planner: there is no display, so it runs in a browser instead\n')

    const page = await browser.newPage()
    await page.goto(/http\S+/.exec(text())?.[0] ?? '')
    await expect(page.getByText('coder-daily').first()).toBeVisible()
    await page.close()
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    await home.remove()
  },
)

onLinux(
  'npm start with an Electron that does not start says so in one line and serves the page',
  async () => {
    const home = await makeHome()
    const dist = join(home.home, 'electron')
    await mkdir(dist)
    await writeFile(join(dist, 'electron'), '#!/bin/sh\necho no libgtk >&2\nexit 127\n')
    await chmod(join(dist, 'electron'), 0o755)
    const env = { ...home.env, DISPLAY: '', WAYLAND_DISPLAY: 'none', ELECTRON_OVERRIDE_DIST_PATH: dist }
    // Its own way to open a browser is not what is tested: it finds none.
    const child = spawn(process.execPath, ['scripts/start.mjs', '--port', '0'], {
      cwd: ROOT,
      env: { ...env, PATH: home.home },
    })
    const text = outputOf(child)
    const exited = once(child, 'exit')
    await expect.poll(text).toContain('Lab Planner listens on http://127.0.0.1:')
    expect(text()).toMatch(
      /^lab-planner: Electron did not start: it ended with 127 .*, so it runs in a browser instead$/m,
    )
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    await home.remove()
  },
)

function outputOf(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}
