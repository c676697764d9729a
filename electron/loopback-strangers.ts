import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that have not shown the key yet. */
export interface Strangers {
  /** The connection has shown the key: it no longer counts, and is not closed for another one. */
  readonly trust: (socket: Socket) => void
  /** The connection asked for something that needs no key: it has `graceMs` again to go on. */
  readonly heard: (socket: Socket) => void
}

export interface StrangerBounds {
  /** Kept for as long as they like. */
  readonly most: number
  /** How long a connection may take to show the key, in milliseconds, before it can be closed for another one. */
  readonly graceMs: number
  /** Above this many the oldest is closed at once, so that memory and open files stay bounded. */
  readonly mostInGrace: number
}

/**
 * Bounds the connections that have not shown the key: above `most` the oldest are closed, each only once its
 * grace is over. So a program that opens connections without end keeps out neither one that has the key nor one
 * that is about to show it, unless it opens `mostInGrace` of them within `graceMs`, which is more than one thread
 * of the server can accept.
 */
export function boundStrangers(server: Server, { most, graceMs, mostInGrace }: StrangerBounds): Strangers {
  /** When each was last heard of, the longest silent first. */
  const waiting = new Map<Socket, number>()
  let timer: NodeJS.Timeout | null = null

  const closeSome = (): void => {
    for (const [socket, since] of waiting) {
      if (waiting.size <= most) return
      const graceLeft = since + graceMs - performance.now()
      if (graceLeft > 0 && waiting.size <= mostInGrace) {
        timer ??= setTimeout(() => {
          timer = null
          closeSome()
        }, graceLeft).unref()
        return
      }
      waiting.delete(socket)
      socket.destroy()
    }
  }
  server.on('connection', (socket: Socket) => {
    waiting.set(socket, performance.now())
    socket.once('close', () => waiting.delete(socket))
    closeSome()
  })
  return {
    trust: (socket) => void waiting.delete(socket),
    heard: (socket) => {
      if (waiting.delete(socket)) waiting.set(socket, performance.now())
    },
  }
}
