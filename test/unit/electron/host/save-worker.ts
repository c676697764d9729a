import { createInterface } from 'node:readline'
import { saveOverlay } from '../../../../electron/host/save-overlay.ts'
import { openScanRecord, type ScannedPlace } from '../../../../electron/host/scan/scan-record.ts'

/** What a line of the input asks for. */
export type SaveOrder =
  | { readonly save: 'overlay'; readonly path: string; readonly text: string; readonly base: string | null }
  | { readonly save: 'place'; readonly configDir: string; readonly place: ScannedPlace }

async function carryOut(order: SaveOrder): Promise<string> {
  if (order.save === 'overlay') {
    const saved = await saveOverlay(order.path, order.text, order.base)
    return saved.kind === 'failed' ? `${saved.code}: ${saved.message}` : saved.kind
  }
  const record = await openScanRecord(order.configDir)
  record.rememberPlace(order.place)
  return (await record.save()) ?? 'saved'
}

/** A host that saves what each line of its input asks for, and answers each with a line. */
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await carryOut(JSON.parse(line) as SaveOrder)}\n`)
}
