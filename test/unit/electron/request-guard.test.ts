import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeRequest, type GuardedRequest } from '../../../electron/request-guard.ts'

const policy = { host: '127.0.0.1:7321', key: 'the-key' }
const ORIGIN = 'http://127.0.0.1:7321'

function request(changes: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    method: 'GET',
    url: '/',
    host: policy.host,
    origin: undefined,
    fetchSite: 'same-origin',
    fetchDest: undefined,
    authorization: undefined,
    ...changes,
  }
}
const call = (changes: Partial<GuardedRequest> = {}) =>
  request({
    method: 'POST',
    url: '/api/openLab',
    origin: ORIGIN,
    authorization: `Bearer ${policy.key}`,
    ...changes,
  })
const events = (changes: Partial<GuardedRequest> = {}) =>
  call({ method: 'GET', url: '/api/events', origin: undefined, ...changes })
const refused = (status: number) => expect.objectContaining({ kind: 'refuse', status }) as unknown

describe('judgeRequest', () => {
  test('passes the page’s own requests', () => {
    expect(judgeRequest(request(), policy)).toEqual({ kind: 'pass' })
    expect(judgeRequest(request({ fetchSite: 'none' }), policy)).toEqual({ kind: 'pass' })
    expect(judgeRequest(call(), policy)).toEqual({ kind: 'pass' })
    expect(judgeRequest(events(), policy)).toEqual({ kind: 'pass' })
  })

  test('refuses any other Host, whatever else is right', () => {
    const hosts = [
      'localhost:7321',
      '127.0.0.1',
      '127.0.0.1:80',
      'evil.example:7321',
      '[::1]:7321',
      '',
      undefined,
    ]
    for (const host of hosts) {
      expect(judgeRequest(request({ host }), policy), host).toEqual(refused(403))
      expect(judgeRequest(call({ host }), policy), host).toEqual(refused(403))
    }
  })

  test('refuses any other Origin', () => {
    for (const origin of ['http://evil.example', 'https://127.0.0.1:7321', 'http://127.0.0.1', 'null', '']) {
      expect(judgeRequest(call({ origin }), policy), origin).toEqual(refused(403))
      expect(judgeRequest(request({ origin }), policy), origin).toEqual(refused(403))
    }
  })

  test('refuses a call without an Origin', () => {
    expect(judgeRequest(call({ origin: undefined }), policy)).toEqual(refused(403))
  })

  test('refuses what a browser says comes from another site', () => {
    for (const fetchSite of ['cross-site', 'same-site', 'nonsense']) {
      expect(judgeRequest(request({ fetchSite }), policy), fetchSite).toEqual(refused(403))
      expect(judgeRequest(call({ fetchSite }), policy), fetchSite).toEqual(refused(403))
    }
  })

  test('refuses calls and events without the key, and with another one', () => {
    const wrong = [
      undefined,
      '',
      'the-key',
      'Bearer',
      'Bearer ',
      'Bearer the-ke',
      'Bearer the-key2',
      'bearer the-key',
    ]
    for (const authorization of wrong) {
      expect(judgeRequest(call({ authorization }), policy), authorization).toEqual(refused(401))
      expect(judgeRequest(events({ authorization }), policy), authorization).toEqual(refused(401))
      expect(judgeRequest(call({ authorization, url: '/api/events?key=the-key' }), policy)).toEqual(
        refused(401),
      )
    }
  })

  test('gives the page to who follows a link from elsewhere, and to no page that embeds it', () => {
    const link = (changes: Partial<GuardedRequest>) => judgeRequest(request(changes), policy)
    expect(link({ fetchSite: 'cross-site', fetchDest: 'document' })).toEqual({ kind: 'pass' })
    for (const fetchDest of ['iframe', 'script', 'image', 'empty', undefined]) {
      expect(link({ fetchSite: 'cross-site', fetchDest }), fetchDest).toEqual(refused(403))
    }
    expect(judgeRequest(events({ fetchSite: 'cross-site', fetchDest: 'document' }), policy)).toEqual(
      refused(403),
    )
  })

  test('takes no POST for a file of the page', () => {
    expect(judgeRequest(call({ url: '/' }), policy)).toEqual(refused(405))
  })

  test('answers GET, HEAD and POST only', () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT']) {
      expect(judgeRequest(call({ method }), policy), method).toEqual(refused(405))
    }
  })

  test('no guessed request passes, and none makes it fail', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('127.0.0.1:7321', ORIGIN, 'same-origin', 'none', '/', 'GET', 'POST'),
    )
    const maybe = fc.option(text, { nil: undefined })
    const guess = fc.record({
      method: text,
      url: text,
      host: maybe,
      origin: maybe,
      fetchSite: maybe,
      fetchDest: maybe,
      authorization: maybe,
    })
    fc.assert(
      fc.property(guess, (guessed) => {
        const api = { ...guessed, url: `/api/${guessed.url}` }
        return judgeRequest(api, policy).kind === 'refuse'
      }),
    )
  })
})
