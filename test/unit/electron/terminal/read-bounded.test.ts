import { expect, test } from 'vitest'
import { readBounded } from '../../../../electron/terminal/read-bounded.ts'

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  for (const part of parts) yield Promise.resolve(part)
}

test('joins chunks, texts as UTF-8', async () => {
  expect(Buffer.from(await readBounded(chunks('ä', Buffer.from('b')), 10)).toString()).toBe('äb')
})

test('stops one byte beyond the limit, which is enough to see that there is too much', async () => {
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield Promise.resolve('xxxx')
  }
  expect(await readBounded(endless(), 6)).toHaveLength(7)
})
