import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { signatureState, type SignatureEntry } from '../../../../shared/model-manifest/signature.ts'
import { sign } from '../../../support/manifests.ts'

const CONTENT = '{"body":{},"kind":"model","schema":"weftos.workload-manifest.v1"}'

function entry(changes: Partial<SignatureEntry> = {}, seed = 7): SignatureEntry {
  const signed = sign(CONTENT, seed)
  return {
    algorithm: 'ed25519',
    keyId: 'k',
    publicKey: signed['public_key'] ?? '',
    signature: signed['signature'] ?? '',
    ...changes,
  }
}

describe('signatureState', () => {
  test('is unsigned without signatures and valid when every one verifies', () => {
    expect(signatureState(CONTENT, [])).toBe('unsigned')
    expect(signatureState(CONTENT, [entry()])).toBe('valid')
    expect(signatureState(CONTENT, [entry(), entry({}, 8)])).toBe('valid')
  })

  test('is invalid as soon as one does not verify', () => {
    expect(signatureState(CONTENT, [entry(), entry({ signature: entry({}, 8).signature })])).toBe('invalid')
  })

  test('is invalid for other content, however little it differs', () => {
    expect(signatureState(`${CONTENT} `, [entry()])).toBe('invalid')
  })

  test('is invalid for any flipped digit of the signature or the key', () => {
    const good = entry()
    const flip = (hex: string, at: number): string =>
      hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1)
    for (const at of [0, 31, 63, 64, 126, 127]) {
      expect(signatureState(CONTENT, [{ ...good, signature: flip(good.signature, at) }])).toBe('invalid')
    }
    for (const at of [0, 40, 63]) {
      expect(signatureState(CONTENT, [{ ...good, publicKey: flip(good.publicKey, at) }])).toBe('invalid')
    }
  })

  test.each<[string, Partial<SignatureEntry>]>([
    ['another algorithm', { algorithm: 'ed448' }],
    ['a key of the wrong length', { publicKey: 'ab' }],
    ['a key that is not hex', { publicKey: 'g'.repeat(64) }],
    ['a key that is no point', { publicKey: 'f'.repeat(64) }],
    ['a signature of the wrong length', { signature: 'ab' }],
    ['a signature that is not hex', { signature: 'z'.repeat(128) }],
    ['a signature of ones', { signature: 'f'.repeat(128) }],
  ])('is invalid, without throwing, for %s', (_, changes) => {
    expect(signatureState(CONTENT, [entry(changes)])).toBe('invalid')
  })

  test('is bound to this schema: a signature over the bare content does not count', () => {
    const secret = new Uint8Array(32).fill(7)
    const bare = bytesToHex(ed25519.sign(utf8ToBytes(CONTENT), secret))
    expect(signatureState(CONTENT, [entry({ signature: bare })])).toBe('invalid')
  })
})
