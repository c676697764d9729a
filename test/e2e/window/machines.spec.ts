import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { seriousViolations } from '../../support/axe-check.ts'
import { expect, test, type OpenOptions } from '../../support/planner-fixture.ts'
import { writeTree } from '../../support/temp-folder.ts'
import { gguf } from '../../support/weight-files.ts'

/** An ssh that leads to this machine, to one that is away, and to one that hangs. */
const SSH = `while [ "$1" != -- ]; do shift; done
case $2 in
gpu-box) exec sh -c "$3" ;;
away) echo "ssh: connect to host away port 22: No route to host" >&2; exit 255 ;;
*) exec sleep 600 ;;
esac`

const FLEET = `# my machines
nodes:
  - id: gpu-box
    ssh: gpu-box
    root: ROOT
  # in the cellar
  - {id: nas, ssh: away}
  - {id: other}
`

function machinesLab(fleet: string): OpenOptions {
  return {
    programs: { ssh: SSH },
    lab: async (labDir) => {
      const home = join(labDir, '..')
      await writeTree(home, {
        'weights/Alpha-8B.gguf': gguf({ fill: 'a' }),
        '.ssh/config': 'Host gpu-box slow-box\n  User me\nHost *.lab\n',
      })
      await writeTree(labDir, {
        'docs/models/queue.yaml':
          'roster:\n- {id: a, name: Alpha-8B, backend: llamacpp, ram_gb: 0.1, port: 8090}\n',
        'docs/models/fleet.yaml': fleet.replace('ROOT', join(home, 'weights')),
      })
    },
  }
}

function machines(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Machines' })
  return {
    dialog,
    open: async (): Promise<void> => {
      await page.getByRole('button', { name: 'llm' }).click()
      await page.getByRole('menuitem', { name: 'Gather the lab’s machines…' }).click()
    },
    row: (name: string) =>
      dialog
        .getByRole('list', { name: 'Machines of the lab' })
        .getByRole('listitem')
        .filter({ hasText: name }),
    button: (name: string | RegExp) => dialog.getByRole('button', { name, exact: true }),
  }
}

test('machines are gathered side by side; one that does not answer says why, and the lab has the others’ facts', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner(machinesLab(FLEET))
  const { dialog, open, row, button } = machines(page)
  await open()
  await expect(row('gpu-box')).toContainText('not gathered yet')
  await expect(dialog).toContainText('has no ssh for them: other.')
  await button('Gather all 2').click()
  await expect(row('gpu-box')).toContainText('1 whole model, by Node there')
  await expect(row('gpu-box')).toContainText('new manifest: ~/llm/docs/models/manifests/Alpha-8B.json')
  await expect(row('nas')).toContainText('ssh: connect to host away port 22: No route to host')
  await expect(row('nas')).toContainText('the lab has no facts of it')
  await expect(dialog.getByRole('status')).toHaveText('2 machines: 1 gathered, 1 did not answer.')
  const facts = await readFile(join(labDir, 'docs/models/nodes/gpu-box.json'), 'utf8')
  expect(JSON.parse(facts)).toMatchObject({ node_id: 'gpu-box' })
})

test('a host of the ssh configuration becomes a machine, and every comment of fleet.yaml stays', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner(machinesLab(FLEET))
  const { dialog, open, row, button } = machines(page)
  await open()
  await button('Add from the ssh configuration…').click()
  await dialog.getByRole('checkbox', { name: 'slow-box' }).check()
  expect(await seriousViolations(page)).toEqual([])
  await button('Add to fleet.yaml').click()
  await expect(row('slow-box')).toContainText('not gathered yet')
  const fleet = await readFile(join(labDir, 'docs/models/fleet.yaml'), 'utf8')
  expect(fleet).toContain('# my machines')
  expect(fleet).toContain('  # in the cellar\n')
  expect(fleet.endsWith('  - {id: other}\n  - id: slow-box\n    ssh: slow-box\n')).toBe(true)
})

test('one machine is stopped alone, and all at once', async ({ openPlanner }) => {
  const { page } = await openPlanner(
    machinesLab('nodes:\n  - {id: slow-box, ssh: slow-box}\n  - {id: slow-two, ssh: slow-two}\n'),
  )
  const { open, row, button } = machines(page)
  await open()
  await button('Gather all 2').click()
  await button('Stop slow-box').click()
  await expect(row('slow-box')).toContainText('stopped')
  await expect(button('Stop slow-two')).toBeVisible()
  await button('Stop all').click()
  await expect(row('slow-two')).toContainText('stopped')
  await expect(button('Gather slow-box')).toBeEnabled()
})

test('a lab without machines offers the hosts of the ssh configuration', async ({ openPlanner }) => {
  const { page } = await openPlanner(machinesLab('nodes: []\n'))
  const { dialog, open, row, button } = machines(page)
  await open()
  await expect(dialog).toContainText('No machine in ~/llm/docs/models/fleet.yaml has an ssh host')
  await expect(button('Gather')).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'gpu-box' }).check()
  await button('Add to fleet.yaml').click()
  await expect(row('gpu-box')).toBeVisible()
})

test('says how a node is reached and where it keeps things, and writes it beside the comments', async ({
  openPlanner,
}) => {
  const { page, labDir } = await openPlanner(machinesLab(FLEET))
  const { dialog, open, button } = machines(page)
  const fleet = join(labDir, 'docs/models/fleet.yaml')
  const before = await readFile(fleet, 'utf8')
  await open()
  await button('Edit the place of gpu-box').click()
  const form = dialog.getByRole('form', { name: 'Place of gpu-box' })
  await expect(form.getByRole('textbox', { name: 'ssh' })).toHaveValue('gpu-box')
  expect(await seriousViolations(page)).toEqual([])
  await form.getByRole('textbox', { name: 'programs' }).fill('llama-server=bin/llama-server')
  await button('Write it').click()
  await expect(dialog.getByRole('alert')).toContainText('absolute path')
  expect(await readFile(fleet, 'utf8')).toBe(before)
  await form.getByRole('textbox', { name: 'programs' }).fill('llama-server=/usr/bin/llama-server')
  await form.getByRole('combobox', { name: 'start' }).selectOption('llama-swap')
  await button('Write it').click()
  await expect(form).toBeHidden()
  const after = await readFile(fleet, 'utf8')
  expect(after).toContain('    start: llama-swap\n')
  expect(after).toContain('    programs: {llama-server: /usr/bin/llama-server}\n')
  expect(after).toContain('# my machines\n')
  expect(after).toContain('  # in the cellar\n')

  await button('Edit the place of gpu-box').click()
  await writeFile(fleet, after.replace('start: llama-swap', 'start: systemd'))
  await form.getByRole('combobox', { name: 'start' }).selectOption('none')
  await button('Write it').click()
  await expect(dialog.getByRole('alert')).toContainText('was changed meanwhile')
  expect(await readFile(fleet, 'utf8')).toContain('start: systemd')
  await button('Back to the machines').click()

  await button('other').click()
  const ssh = dialog.getByRole('form', { name: 'Place of other' }).getByRole('textbox', { name: 'ssh' })
  await ssh.fill('me@elsewhere')
  await button('Write it').click()
  await expect(dialog.getByRole('alert')).toHaveText(/^elsewhere is not in your ssh configuration/)
  await ssh.fill('me@slow-box')
  await button('Write it').click()
  await expect(dialog.getByRole('list', { name: 'Machines of the lab' })).toContainText('other')
})
