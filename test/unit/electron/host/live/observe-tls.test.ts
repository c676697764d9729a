import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { selfSigned, type Certificate } from '../../../../support/certificates.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'

const KEY = 'sk-secret'
const GOOD = selfSigned('gpu-box.test')

/** A vLLM behind TLS; gives its port and the keys that it was sent. */
async function serve(certificate: Certificate): Promise<{ port: number; keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = []
  const server = createServer(certificate, ({ headers }, response) => {
    keys.push(headers.authorization)
    response.end(JSON.stringify({ data: [{ id: 'm', owned_by: 'vllm' }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, keys }
}

/** What is seen at `url` on a machine that trusts `trusted` as well. */
async function look(url: string, trusted: Certificate | null): Promise<Record<string, unknown>> {
  const file = join(await tempFolder(), 'trusted.pem')
  await writeFile(file, trusted?.cert ?? '')
  const env = { ...process.env, LAB_KEY: KEY, NODE_EXTRA_CA_CERTS: trusted === null ? '' : file }
  const args = ['--import', 'tsx', 'test/support/look-once.ts', url]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout) as Record<string, unknown>
}

describe('a server behind TLS', () => {
  test('is asked, and sent its key, where its certificate is trusted and for its name', async () => {
    const { port, keys } = await serve(GOOD)
    expect(await look(`https://gpu-box.test:${port}`, GOOD)).toMatchObject({ kind: 'server', server: 'vLLM' })
    expect(keys).toEqual([`Bearer ${KEY}`])
  })

  test.each<[string, Certificate, string, Certificate | null, RegExp]>([
    ['is not trusted', GOOD, 'gpu-box.test', null, /certificate is not trusted \(.*SELF_SIGNED/],
    ['is for another name', GOOD, 'mac.test', GOOD, /certificate is not trusted \(.*ALTNAME/],
  ])('is sent nothing where its certificate %s', async (_, certificate, name, trusted, reason) => {
    const { port, keys } = await serve(certificate)
    const seen = await look(`https://${name}:${port}`, trusted)
    expect(seen).toMatchObject({ kind: 'no_answer' })
    expect(seen['reason']).toMatch(reason)
    expect(keys).toEqual([])
  })
})
