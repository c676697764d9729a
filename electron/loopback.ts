import { randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import fastifyRateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { RUN_HEADER, type HostError, type HostResult } from '../shared/host-api.ts'
import type { Host } from './host/create-host.ts'
import { failed } from './host/answers.ts'
import type { Dispatch } from './host/dispatch.ts'
import { createEventStreams, type EventStreams } from './loopback-events.ts'
import { boundStrangers, type StrangerBounds, type Strangers } from './loopback-strangers.ts'
import { readRendererFile } from './renderer-files.ts'
import { judgeRequest, type GuardPolicy } from './request-guard.ts'
import { PAGE_HEADERS } from './security-headers.ts'

export interface LoopbackOptions {
  readonly host: Pick<Host, 'events' | 'snapshot'>
  readonly dispatch: Dispatch
  /** The folder of the built page. */
  readonly renderer: string
  /** 0 takes any free port. */
  readonly port: number
  readonly limits?: Partial<LoopbackLimits>
}

/** What one browser may ask of the server. */
export interface LoopbackLimits {
  /** How long the head of a request may take, in milliseconds. */
  readonly headersMs: number
  /** How long a whole request may take, in milliseconds. */
  readonly requestMs: number
  readonly requestsPerSecond: number
}

export interface Loopback {
  readonly port: number
  /** The address that lets a browser in. */
  readonly url: string
  /** Ends all streams and connections; when it resolves, the port is free. */
  readonly close: () => Promise<void>
}

const ADDRESS = '127.0.0.1'
/** An overlay of 1 MiB with every character escaped would be larger; such a text is no overlay. */
const MOST_BODY_BYTES = 4 * 1024 * 1024
/** A browser opens six at a time for the page's files, which need no key; 17,000 a second is the most we saw come in. */
const STRANGERS: StrangerBounds = { most: 512, graceMs: 250, mostInGrace: 8192 }
const MOST_CONNECTIONS = 2048 + STRANGERS.mostInGrace
/** Far more requests than a page makes, far fewer than a runaway loop. */
const DEFAULT_LIMITS: LoopbackLimits = { headersMs: 5_000, requestMs: 20_000, requestsPerSecond: 500 }

/**
 * Serves the page on 127.0.0.1, and the host's calls to pages that have the key in the printed address. Every
 * request passes the guard first; calls are `POST /api/CALL` with the argument as JSON, events a stream at
 * `/api/events`, whose head says which run of the planner it is ({@link RUN_HEADER}). Rejects when the port cannot be had.
 */
export async function startLoopback(options: LoopbackOptions): Promise<Loopback> {
  const key = randomBytes(32).toString('base64url')
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const server = createServer(limits)
  const streams = createEventStreams(options.host.events)
  // The port is known only when it is bound, and nothing is answered before.
  let policy: GuardPolicy = { host: '', key }

  addGuard(server, () => policy, boundStrangers(server.server, STRANGERS))
  await server.register(fastifyRateLimit, {
    max: limits.requestsPerSecond,
    timeWindow: 1000,
    // Only what has the key is counted: others must not use up what the owner may ask.
    allowList: (request) => !isCall(request),
    errorResponseBuilder: () => ({
      statusCode: 429,
      ...refusal('Too many requests came at once. Wait a second.'),
    }),
  })
  addErrors(server)
  addApi(server, options, streams)
  addPage(server, options.renderer)

  const close = async (): Promise<void> => {
    streams.close()
    await server.close()
  }
  try {
    await server.listen({ host: ADDRESS, port: options.port })
  } catch (error) {
    await close()
    throw error
  }
  const { port } = server.server.address() as AddressInfo
  policy = { ...policy, host: `${ADDRESS}:${port}` }
  return {
    port,
    url: `http://${policy.host}/#key=${key}`,
    close,
  }
}

function createServer(limits: LoopbackLimits): FastifyInstance {
  const server = fastify({
    bodyLimit: MOST_BODY_BYTES,
    requestTimeout: limits.requestMs,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    // A path that is no path never reaches the routes, nor their error handler.
    frameworkErrors: (_error, request, reply) => void refuse(request, reply, 400, REFUSALS[400] ?? ''),
    routerOptions: { maxParamLength: 100 },
    http: { headersTimeout: limits.headersMs, maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 500 },
  })
  server.server.maxConnections = MOST_CONNECTIONS
  // Only JSON is taken: other types are what a foreign page's form could send.
  server.removeContentTypeParser('text/plain')
  return server
}

function addGuard(server: FastifyInstance, policyNow: () => GuardPolicy, strangers: Strangers): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' })
    const { headers } = request
    const verdict = judgeRequest(
      {
        method: request.method,
        url: request.raw.url ?? '/',
        host: headers.host,
        origin: headers.origin,
        fetchSite: headers['sec-fetch-site']?.toString(),
        fetchDest: headers['sec-fetch-dest']?.toString(),
        authorization: headers.authorization,
      },
      policyNow(),
    )
    if (verdict.kind === 'refuse') return refuse(request, reply, verdict.status, verdict.message)
    if (isCall(request)) strangers.trust(request.raw.socket)
    else strangers.heard(request.raw.socket)
  })
}

/** Whether it asks for what needs the key. */
function isCall(request: FastifyRequest): boolean {
  return request.raw.url?.startsWith('/api/') === true
}

function addErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: { statusCode?: number; code?: string }, request, reply) => {
    const status = error.statusCode ?? 500
    return refuse(request, reply, status, REFUSALS[status] ?? 'The request cannot be answered.')
  })
  server.setNotFoundHandler((request, reply) => refuse(request, reply, 404, 'There is nothing here.'))
}

/** Never the library's own words: they may quote the request or name files. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request is not well formed.',
  413: 'The request is too large.',
  415: 'Only JSON is taken.',
  429: 'Too many requests came at once. Wait a second.',
}

function refusal(message: string): { readonly ok: false; readonly error: HostError } {
  return failed('refused', message)
}

/** Data for the page's client, a sentence for a person who came with a browser. */
async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
): Promise<FastifyReply> {
  reply.code(status)
  if (isCall(request)) return reply.send(refusal(message))
  return reply.type('text/plain; charset=utf-8').send(`${message}\n`)
}

function addApi(server: FastifyInstance, { dispatch, host }: LoopbackOptions, streams: EventStreams): void {
  const run = randomUUID()
  server.get('/api/events', { exposeHeadRoute: false }, async (request, reply) => {
    const snapshot = host.snapshot()
    const first = snapshot && ({ name: 'labChanged', payload: snapshot } as const)
    if (!streams.open(reply.raw, { ...PAGE_HEADERS, [RUN_HEADER]: run }, first)) {
      return refuse(request, reply, 429, 'Too many pages are open. Close some.')
    }
    reply.hijack()
    return reply
  })
  server.post<{ Params: { call: string } }>('/api/:call', async (request, reply) => {
    const result = await dispatch(request.params.call, request.body)
    return reply.code(statusOf(result)).send(result)
  })
}

/**
 * What the host foresees (no lab, a conflict, the disk) is an answer; only a wrong request and a fault are
 * not.
 */
function statusOf(result: HostResult<unknown>): number {
  if (result.ok) return 200
  switch (result.error.code) {
    case 'bad_arguments':
      return 400
    case 'unknown_call':
      return 404
    case 'refused':
      return 403
    case 'internal':
      return 500
    case 'disconnected':
    case 'io':
    case 'no_lab':
    case 'stopped':
    case 'unknown_token':
    case 'unsupported':
      return 200
  }
}

function addPage(server: FastifyInstance, renderer: string): void {
  server.get('/*', async (request, reply) => {
    const [path = '/'] = (request.raw.url ?? '/').split('?', 1)
    const file = await readRendererFile(renderer, path)
    return file
      ? reply.type(file.contentType).send(file.body)
      : refuse(request, reply, 404, 'There is nothing here.')
  })
}
