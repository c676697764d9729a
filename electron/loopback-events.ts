import type { ServerResponse } from 'node:http'
import type { HostEvent, HostEventSource } from './host/events.ts'

/** The event streams of a browser host's pages. */
export interface EventStreams {
  /** Takes over `response` as a stream; `first` is sent at once. False when there are too many already. */
  readonly open: (
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    first: HostEvent | null,
  ) => boolean
  readonly close: () => void
}

/** As many pages as a person may have open, and then some. */
const MOST_STREAMS = 64
/**
 * A page that does not read is dropped when so much waits for it; it comes back and gets the last snapshot.
 */
const MOST_WAITING_BYTES = 64 * 1024 * 1024
/** Keeps the connection from being taken for idle, and finds pages that went without a word. */
const HEARTBEAT_MS = 15_000

/** Sends every event of `source` to all open streams, as server-sent events named as in the contract. */
export function createEventStreams(source: HostEventSource): EventStreams {
  const streams = new Set<ServerResponse>()
  const send = (stream: ServerResponse, text: string) => {
    if (stream.writableLength > MOST_WAITING_BYTES) stream.destroy()
    else stream.write(text)
  }
  const stopListening = source.listen((event) => {
    const text = eventText(event)
    for (const stream of streams) send(stream, text)
  })
  const heartbeat = setInterval(() => {
    for (const stream of streams) send(stream, ':\n\n')
  }, HEARTBEAT_MS)

  return {
    open: (response, headers, first) => {
      if (streams.size >= MOST_STREAMS) return false
      streams.add(response)
      response.on('close', () => streams.delete(response))
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
      })
      // The head is sent at once: the page knows by it that it is connected.
      response.flushHeaders()
      if (first) send(response, eventText(first))
      return true
    },
    close: () => {
      stopListening()
      clearInterval(heartbeat)
      for (const stream of streams) stream.end()
    },
  }
}

/** JSON has no line breaks of its own, so that one `data` line holds it. */
function eventText({ name, payload }: HostEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`
}
