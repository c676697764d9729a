/**
 * Looks once at the address of its argument, whose name leads to 127.0.0.1, and prints what was observed: a program of its
 * own, since which certificates are trusted is settled when a process starts (`NODE_EXTRA_CA_CERTS`).
 */
import { observeAll } from '../../electron/host/live/observe.ts'

const [url = ''] = process.argv.slice(2)
const [seen] = await observeAll([{ nodeId: 'n', url, port: Number(new URL(url).port), keyEnv: 'LAB_KEY' }], {
  signal: new AbortController().signal,
  env: process.env,
  limits: { connectMs: 20_000, wholeMs: 20_000, bytes: 64 * 1024 },
  lookup: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
})
console.log(
  JSON.stringify(seen?.observation, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
)
