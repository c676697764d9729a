import { constants } from 'node:fs'
import { readGgufHeader } from '../../../shared/model-files/gguf-header.ts'
import type { HeaderRead } from '../../../shared/model-files/header-read.ts'
import { readSafetensorsHeader } from '../../../shared/model-files/safetensors-header.ts'
import { STAND_IN_WORDS, standInOf } from '../../../shared/model-files/stand-in.ts'
import { ggufTraits, type GgufTraits } from '../../../shared/scan/gguf-kind.ts'
import { isGgufName } from '../../../shared/scan/gguf-sets.ts'
import type { Disk } from '../disk.ts'
import { readStart, type FileHandle } from '../read-start.ts'
import { diskFault } from '../system-error.ts'

/** What the start of a weight file says. */
export interface Inspected {
  /** Why it is no whole weight file, behind its name: `is empty`; null when nothing speaks against it. */
  readonly fault: string | null
  /** Of a GGUF file whose header can be read. */
  readonly gguf: GgufTraits | null
  /** `__metadata__.format` of a safetensors file. */
  readonly tensorFormat: string | null
  /** Names of a safetensors file's tensors. */
  readonly tensors: readonly string[]
}

/** Most headers are shorter than this; the others are read in steps that grow. */
const FIRST_BYTES = 64 * 1024

const NOTHING = { gguf: null, tensorFormat: null, tensors: [] } as const

/**
 * Looks at the header of the weight file at `real`: whether it is one, and as long as it says. A few kilobytes
 * are read as a rule, some megabytes of a GGUF file with a large vocabulary.
 */
export async function inspectWeights(real: string, name: string, disk: Disk): Promise<Inspected> {
  try {
    const handle = await disk.open(real, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const { size } = await handle.stat()
      const start = await readStart(handle, Math.min(size, FIRST_BYTES))
      const standIn = standInOf(start)
      if (standIn !== null) return { ...NOTHING, fault: STAND_IN_WORDS[standIn] }
      if (isGgufName(name)) {
        const read = await readHeader(handle, start, size, readGgufHeader)
        if (read.kind !== 'read') return { ...NOTHING, fault: headerFault(read, 'GGUF') }
        const fault = lengthFault(size, read.header.fileBytes)
        return { ...NOTHING, fault, gguf: ggufTraits(read.header) }
      }
      if (!/\.safetensors$/i.test(name)) return { ...NOTHING, fault: null }
      const read = await readHeader(handle, start, size, readSafetensorsHeader)
      if (read.kind !== 'read') return { ...NOTHING, fault: headerFault(read, 'safetensors') }
      const { fileBytes, format, tensors } = read.header
      return {
        ...NOTHING,
        fault: lengthFault(size, fileBytes),
        tensorFormat: format,
        tensors: tensors.map((tensor) => tensor.name),
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return { ...NOTHING, fault: `cannot be read: ${diskFault(error).reason}` }
  }
}

/** Reads as much of the file as its header takes. */
async function readHeader<Header>(
  handle: FileHandle,
  start: Uint8Array,
  size: number,
  read: (bytes: Uint8Array) => HeaderRead<Header>,
): Promise<HeaderRead<Header>> {
  let bytes = start
  for (;;) {
    const result = read(bytes)
    if (result.kind !== 'more' || bytes.length >= size || result.bytes > size) return result
    bytes = await readStart(handle, Math.min(size, Math.max(result.bytes, bytes.length * 4)))
    if (bytes.length < result.bytes) return result
  }
}

function headerFault(read: Exclude<HeaderRead<never>, { kind: 'read' }>, format: string): string {
  switch (read.kind) {
    case 'more':
      return 'ends within its own header: it is cut off'
    case 'other':
      return `is no ${format} file by its first bytes`
    case 'malformed':
      return `has a header that cannot be read: ${read.reason}`
  }
}

function lengthFault(size: number, needed: bigint): string | null {
  return BigInt(size) < needed ? `has ${size} of the ${needed} bytes that its own header says` : null
}
