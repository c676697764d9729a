import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeRequest, type GuardedRequest } from '../../../electron/request-guard.ts'

const policy = { host: '127.0.0.1:7321', entryToken: 'entry-token', cookieValue: 'cookie-value' }
const ORIGIN = 'http://127.0.0.1:7321'

function request(changes: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    method: 'GET',
    url: '/',
    host: policy.host,
    origin: undefined,
    fetchSite: 'same-origin',
    cookie: policy.cookieValue,
    ...changes,
  }
}
const call = (changes: Partial<GuardedRequest> = {}) =>
  request({ method: 'POST', url: '/api/openLab', origin: ORIGIN, ...changes })
const refused = (status: number) => expect.objectContaining({ kind: 'refuse', status }) as unknown

describe('judgeRequest', () => {
  test('passes the page’s own requests', () => {
    expect(judgeRequest(request(), policy)).toEqual({ kind: 'pass' })
    expect(judgeRequest(request({ fetchSite: 'none' }), policy)).toEqual({ kind: 'pass' })
    expect(judgeRequest(call(), policy)).toEqual({ kind: 'pass' })
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
      expect(judgeRequest(request({ host, url: `/?token=${policy.entryToken}` }), policy), host).toEqual(
        refused(403),
      )
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
    expect(judgeRequest(call({ fetchSite: 'none' }), policy)).toEqual(refused(403))
  })

  test('refuses no cookie and an old one', () => {
    for (const cookie of [undefined, '', 'cookie-valu', 'cookie-value2', policy.entryToken]) {
      expect(judgeRequest(request({ cookie }), policy), cookie).toEqual(refused(401))
      expect(judgeRequest(call({ cookie }), policy), cookie).toEqual(refused(401))
    }
  })

  test('lets in by the token of this run, from wherever the link stood', () => {
    const enter = (changes: Partial<GuardedRequest> = {}) =>
      judgeRequest(request({ url: '/?token=entry-token', cookie: undefined, ...changes }), policy)
    expect(enter()).toEqual({ kind: 'enter' })
    expect(enter({ fetchSite: 'cross-site' })).toEqual({ kind: 'enter' })
    expect(enter({ url: '/?token=old-token' })).toEqual(refused(401))
    expect(enter({ url: '/?token=' })).toEqual(refused(401))
    expect(enter({ url: '/api/events?token=entry-token' })).toEqual(refused(401))
    expect(enter({ url: '/?token=entry-token', method: 'POST', origin: ORIGIN })).toEqual(refused(401))
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
      cookie: maybe,
    })
    fc.assert(fc.property(guess, (guessed) => judgeRequest(guessed, policy).kind === 'refuse'))
  })
})
