import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchServer } from '../../support/browser-host.ts'
import { makeHome } from '../../support/planner-home.ts'
import { expect, test } from '../../support/planner-fixture.ts'

/** Runs what is behind it in a user namespace in which the kernel gives this many file watches. */
const withWatches = (count: number): readonly string[] => [
  'unshare',
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  `echo ${count} > /proc/sys/user/max_inotify_watches && exec "$0" "$@"`,
]

test('a lab without file watches is looked at every few seconds, and the status bar says why', async ({
  page,
}) => {
  const [program = '', ...args] = withWatches(1)
  test.skip(spawnSync(program, [...args, 'true']).status !== 0, 'this system makes no user namespaces')
  const home = await makeHome()
  const server = await launchServer([], home.env, withWatches(1))
  try {
    await page.goto(server.url)
    const unwatched = page.getByText('Files are not watched')
    await expect(unwatched).toBeVisible()
    await expect(unwatched).toHaveAttribute('title', /every few seconds: the system has no file watches left/)
    const facts = join(home.labDir, 'docs/models/nodes/pi-5.json')
    await writeFile(facts, (await readFile(facts, 'utf8')).replaceAll('pi-5', 'pi-6'))
    await expect(page.getByText('pi-6').first()).toBeVisible()
  } finally {
    await server.stop()
    await home.remove()
  }
})

test('the files are looked at again whenever the window gets the focus', async ({ openPlanner }) => {
  const { page } = await openPlanner()
  await expect(page.getByText('coder-daily').first()).toBeVisible()
  await expect(page.getByText('Files are not watched')).toBeHidden()
  const looked = page.waitForResponse('**/api/lookAgain')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  expect((await looked).ok()).toBe(true)
})
