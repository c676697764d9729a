import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await expect.poll(() => text).toContain('Lab Planner listens on http://127.0.0.1:')
    expect(text).toContain('lab-planner: there is no display, so it runs in a browser instead\n')

    const page = await browser.newPage()
    await page.goto(/http\S+/.exec(text)?.[0] ?? '')
    await expect(page.getByText('coder-daily').first()).toBeVisible()
    await page.close()
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    await home.remove()
  },
)
