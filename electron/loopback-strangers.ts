import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that have not shown the key yet. */
export interface Strangers {
  /** The connection has shown the key: it no longer counts, and is not closed for another one. */
  readonly trust: (socket: Socket) => void
}

/**
 * Keeps at most `most` connections that have not shown the key: for every further one the oldest of them is closed. So a
 * program that opens connections and leaves them idle does not keep out the one who has the key.
 */
export function boundStrangers(server: Server, most: number): Strangers {
  const waiting = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
    const [oldest] = waiting
    if (waiting.size > most) oldest?.destroy()
  })
  return { trust: (socket) => void waiting.delete(socket) }
}
