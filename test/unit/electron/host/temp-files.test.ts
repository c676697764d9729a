import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cleanStrayTemps, forgetTemp, newTempPath } from '../../../../electron/host/temp-files.ts'
import { processPlace } from '../../../../electron/host/process-place.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

/** A process that runs until the test is over. */
async function runningProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await once(child, 'spawn')
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

const NAME_END = '0123456789abcdef.tmp'
const HERE = processPlace()
const ELSEWHERE = HERE.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))

describe('cleanStrayTemps', () => {
  test('removes what an ended process left, and what an earlier process of our own id left', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, `.lab-planner-${HERE}-${await endedProcess()}-${NAME_END}`), 'x')
    await writeFile(join(folder, `.lab-planner-${HERE}-${process.pid}-${NAME_END}`), 'x')
    await cleanStrayTemps(folder)
    expect(await readdir(folder)).toEqual([])
  })

  test('leaves a save that is under way in another process, until it is too old to be one', async () => {
    const folder = await tempFolder()
    const path = join(folder, `.lab-planner-${HERE}-${await runningProcess()}-${NAME_END}`)
    await writeFile(path, 'x')
    await cleanStrayTemps(folder)
    expect(await readdir(folder)).toEqual([basename(path)])

    const twoHoursAgo = Date.now() / 1000 - 7200
    await utimes(path, twoHoursAgo, twoHoursAgo)
    await cleanStrayTemps(folder)
    expect(await readdir(folder)).toEqual([])
  })

  test('leaves a save that is under way in this process', async () => {
    const folder = await tempFolder()
    const path = newTempPath(folder)
    await writeFile(path, 'x')
    await cleanStrayTemps(folder)
    expect(await readdir(folder)).toEqual([basename(path)])
    forgetTemp(path)
    await cleanStrayTemps(folder)
    expect(await readdir(folder)).toEqual([])
  })

  test('leaves a save that is under way in another container or on another machine, until it is too old', async () => {
    const folder = await tempFolder()
    const ended = await endedProcess()
    const names = [`.lab-planner-${ELSEWHERE}-${ended}-${NAME_END}`, `.lab-planner-${ended}-${NAME_END}`]
    for (const name of names) await writeFile(join(folder, name), 'x')
    await cleanStrayTemps(folder)
    expect((await readdir(folder)).sort()).toEqual([...names].sort())

    const twoHoursAgo = Date.now() / 1000 - 7200
    for (const name of names) await utimes(join(folder, name), twoHoursAgo, twoHoursAgo)
    await cleanStrayTemps(folder)
    expect(await readdir(folder)).toEqual([])
  })

  test('leaves the files of others', async () => {
    const folder = await tempFolder()
    const names = ['.lab-planner-1.tmp', `.lab-planner-x-${NAME_END}`, `lab-planner-1-${NAME_END}`, 'a.yaml']
    for (const name of names) await writeFile(join(folder, name), 'x')
    await cleanStrayTemps(folder)
    expect((await readdir(folder)).sort()).toEqual(names.sort())
  })

  test('does not fail where there is no folder', async () => {
    await expect(cleanStrayTemps(join(await tempFolder(), 'none'))).resolves.toBeUndefined()
  })
})
