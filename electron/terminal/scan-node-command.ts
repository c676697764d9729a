import { readNodeFacts } from '../../shared/node/read-node-facts.ts'
import { scanNode, writeNodeFacts } from '../host/scan/scan-node.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { complain, ofSeverity, reportProblems, writeLines } from './report.ts'
import type { ScanNodeInvocation } from './scan-arguments.ts'
import { nodeScanOptions, openScan } from './scan-setting.ts'
import { hang, printable } from './width.ts'

/** `scan node`: the facts of this machine, into the lab or to standard output. */
export async function scanNodeCommand(
  { lab: dir, id, json }: ScanNodeInvocation,
  io: CliIo,
): Promise<ExitCode> {
  const setting = await openScan(dir, io)
  const { lab, record } = setting
  // A machine that only reports on itself needs no lab.
  if (lab.fault !== null && !json) {
    complain(lab.fault, io)
    return EXIT.badInput
  }
  if (lab.fault === null) reportProblems(ofSeverity(lab.lab.problems, 'error'), () => undefined, io)
  const scan = await scanNode(nodeScanOptions(setting, id, io))
  if (!scan.ok) {
    complain(scan.reason, io)
    return EXIT.badInput
  }
  if (json) {
    io.stdout(scan.text)
    return EXIT.fine
  }
  const fault = await writeNodeFacts(scan, lab, record)
  if (fault !== null) {
    complain(fault, io)
    return EXIT.badInput
  }
  writeLines(
    [`Wrote ${printable(scan.shown)}: node ${scan.nodeId}.`, ...factLines(scan.text, outputWidth(io))],
    io,
  )
  return EXIT.fine
}

/** What the facts say, in short, and how it was seen. */
function factLines(text: string, width: number): string[] {
  const read = readNodeFacts(text, 'facts')
  if (!read.ok) return []
  const ids = [...new Set(read.value.capabilities.map((capability) => capability.id))]
  return [
    ...hang('  ', ids.join(', '), width),
    ...read.value.notes.flatMap(({ probe, note }) => hang(`  ${probe}: `, printable(note), width)),
  ]
}
