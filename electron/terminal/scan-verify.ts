import { performance } from 'node:perf_hooks'
import { jsonText } from '../../shared/json/json-text.ts'
import { refused, type FoundModels, type LeftOut } from '../host/scan/found-model.ts'
import type { NamedModel } from '../host/scan/scan-models.ts'
import { labManifests } from '../host/scan/scan-lab.ts'
import { scanNode, writeNodeFacts } from '../host/scan/scan-node.ts'
import { scannedTargets, targetOf, verifyModels, type VerifyTarget } from '../host/scan/verify-models.ts'
import { realVolumes } from '../host/scan/volumes.ts'
import { hashing } from './hashing.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { complain, writeLines } from './report.ts'
import type { ScanModelsInvocation } from './scan-arguments.ts'
import { tellLeftOut } from './scan-found.ts'
import { progressLine } from './scan-progress.ts'
import { nodeScanOptions, type ScanSetting } from './scan-setting.ts'
import { verifiedJson, verifiedLines } from './scan-text.ts'
import { styleFor } from './style.ts'

/**
 * `scan models --verify`: reads everything again and checks it against the lab's manifests; without a path all
 * models that were scanned on this machine. Where the lab has facts of this node, they are brought up to what
 * was found.
 */
export async function verifyFound(
  invocation: ScanModelsInvocation,
  setting: ScanSetting,
  found: FoundModels,
  named: readonly NamedModel[],
  io: CliIo,
): Promise<ExitCode> {
  const { lab, record } = setting
  const manifests = labManifests(lab.lab)
  const left = [...found.leftOut]
  const targets: VerifyTarget[] = []
  for (const each of named) {
    const target = await targetOf(each, manifests, record, realVolumes())
    if (target !== null) targets.push(target)
    else {
      const reason = 'the lab has no manifest of it to hold it against: scan it without --verify first'
      left.push(refused(each.model.shown, reason))
    }
  }
  if (invocation.paths.length === 0 && !invocation.usualPlaces)
    targets.push(...scannedTargets(manifests, record, io.homeDir))
  tellLeftOut(left, io)
  if (targets.length === 0) {
    complain('no model of the lab was scanned on this machine, so that there is nothing to verify', io)
    return EXIT.badInput
  }
  const line = progressLine('Verifying', io)
  const verified = await hashing(invocation.threads, io, (signal, hashers) =>
    verifyModels(targets, { record, signal, hashers, nowMs: () => performance.now(), onProgress: line.show }),
  )
  line.clear()
  if (invocation.json) io.stdout(`${jsonText(verifiedJson(verified, left.filter(isRefused)), 2)}\n`)
  else {
    const style = styleFor('stdout', io)
    writeLines(
      verified.flatMap((each) => verifiedLines(each, outputWidth(io), style)),
      io,
    )
  }
  const verdicts = verified.flatMap(({ files }) => files.map(({ verdict }) => verdict))
  if (verdicts.includes('cancelled')) return EXIT.interrupted
  const isFactsFault = await renewFacts(setting, io)
  if (isFactsFault || left.some(isRefused)) return EXIT.badInput
  return verdicts.every((verdict) => verdict === 'ok') ? EXIT.fine : EXIT.differs
}

function isRefused({ kind }: LeftOut): boolean {
  return kind === 'refused'
}

/**
 * Rewrites this node's facts where the lab has some, so that a plan knows at once. Whether it could not.
 */
async function renewFacts(setting: ScanSetting, io: CliIo): Promise<boolean> {
  const { lab, record } = setting
  const nodeId = lab.real === null ? null : record.nodeIdIn(lab.real)
  if (nodeId === null || !lab.lab.nodes.some((node) => node.nodeId === nodeId && node.facts !== null))
    return false
  const scan = await scanNode(nodeScanOptions(setting, nodeId, io))
  const fault = scan.ok ? await writeNodeFacts(scan, lab, record) : scan.reason
  if (fault !== null) complain(`the facts of this node were not renewed: ${fault}`, io)
  return fault !== null
}
