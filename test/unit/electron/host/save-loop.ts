import { readFile } from 'node:fs/promises'
import { saveTextAtomically } from '../../../../electron/host/atomic-save.ts'

/**
 * A process that saves the texts of two files over a third in turn, for as long as it lives. It says `saving`
 * once the first save is through, so that it can be killed amid its saves and not amid its start.
 */
const [path = '', first = '', second = ''] = process.argv.slice(2)
const texts = [await readFile(first, 'utf8'), await readFile(second, 'utf8')]
for (let turn = 0; ; turn++) {
  const result = await saveTextAtomically(path, texts[turn % 2] ?? '')
  if (!result.ok) throw new Error(result.message)
  if (turn === 0) process.stdout.write('saving\n')
}
