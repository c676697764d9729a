import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LabFile, LabFiles } from '../../../../shared/lab/lab.ts'
import { createLabReader, createLabReading, type LabReading } from '../../../../shared/lab/read-lab.ts'
import { runSync } from '../../../../shared/task.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

const { files } = await readSampleLab({ allowTransfer: false })

/** The lab with one file's text another one. */
function withText(lab: LabFiles, ending: string, change: (text: string) => string): LabFiles {
  const changed = lab.files.map((file): LabFile => {
    if (!file.file.endsWith(ending)) return file
    const text = change(file.text)
    return { ...file, text, hash: `hash of ${text}` }
  })
  return { ...lab, files: changed }
}

function readAll(reading: LabReading, lab: LabFiles): readonly string[] {
  const wanted = new Set(reading.unread(lab).map(({ file }) => file))
  for (const file of lab.files) if (wanted.has(file.file)) runSync(reading.read(file))
  return [...wanted]
}

describe('reading a lab file by file', () => {
  test('gives the same lab in whatever order the files come, and however their steps are taken', () => {
    const whole = createLabReader()(files)
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...files.files], { minLength: files.files.length }),
        fc.array(fc.nat()),
        (order, picks) => {
          const reading = createLabReading()
          const steps = order.map((file) => reading.read(file))
          // Some steps of some files first, as when a reading is given up half way; then all that is left.
          for (const pick of picks) steps[pick % steps.length]?.next()
          for (const rest of steps) runSync(rest)
          expect(reading.lab(files)).toEqual(whole)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('wants every file but the overlay at first, and afterwards those that are other ones', () => {
    const reading = createLabReading()
    expect(readAll(reading, files)).toEqual(
      files.files.flatMap(({ kind, file }) => (kind === 'overlay' ? [] : [file])),
    )
    const first = reading.lab(files)
    expect(reading.unread(files)).toEqual([])
    const changed = withText(files, 'pi-5.json', (text) => text.replace(/"seq": *\d+/, '"seq": 99'))
    expect(readAll(reading, changed)).toEqual([expect.stringContaining('pi-5.json')])
    const second = reading.lab(changed)
    expect(second.nodes.find(({ nodeId }) => nodeId === 'pi-5')?.facts?.seq).toBe(99)
    expect(second.manifests).toBe(first.manifests)
    expect(second.nodes.filter((node) => !first.nodes.includes(node)).map(({ nodeId }) => nodeId)).toEqual([
      'pi-5',
    ])
  })

  test('forgets a file that went, and reports one only while it is there', () => {
    const reading = createLabReading()
    const broken = withText(files, 'pi-5.json', () => '{')
    readAll(reading, broken)
    expect(reading.lab(broken).problems.some(({ file }) => file?.endsWith('pi-5.json'))).toBe(true)
    const without = { ...files, files: files.files.filter(({ file }) => !file.endsWith('pi-5.json')) }
    expect(reading.lab(without).problems.some(({ file }) => file?.endsWith('pi-5.json'))).toBe(false)
    expect(reading.unread(broken).map(({ file }) => file)).toEqual([expect.stringContaining('pi-5.json')])
  })

  test('stops after every entry of a registry', () => {
    const registry = files.files.find(({ kind }) => kind === 'registry')
    if (!registry) throw new Error('the sample lab has a registry')
    const steps = [...createLabReading().read(registry)]
    expect(steps.length).toBe(Object.keys((JSON.parse(registry.text) as { models: object }).models).length)
  })
})
