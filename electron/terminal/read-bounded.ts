/** All bytes of `chunks`, or the first `maxBytes + 1` of them: enough to see that there are too many. */
export async function readBounded(
  chunks: AsyncIterable<string | Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    parts.push(bytes)
    length += bytes.length
    if (length > maxBytes) break
  }
  return Buffer.concat(parts, Math.min(length, maxBytes + 1))
}
