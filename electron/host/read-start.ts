import type { Disk } from './disk.ts'

export type FileHandle = Awaited<ReturnType<Disk['open']>>

/** The first `length` bytes of a file, or all of it when it is shorter. */
export async function readStart(handle: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
