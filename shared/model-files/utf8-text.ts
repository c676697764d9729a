/** What every place that this runs in has: Node, browsers and their workers. */
declare const TextDecoder: new () => { decode: (bytes: Uint8Array) => string }

/** `bytes` as text; what is no UTF-8 becomes replacement characters, and a byte order mark is dropped. */
export function utf8Text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
