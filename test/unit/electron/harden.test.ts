import { describe, expect, test } from 'vitest'
import { safeExternalUrl } from '../../../electron/harden.ts'

describe('safeExternalUrl', () => {
  test('lets plain https addresses through', () => {
    expect(safeExternalUrl('https://example.org/docs?a=b#c')).toBe('https://example.org/docs?a=b#c')
    expect(safeExternalUrl('HTTPS://Example.org')).toBe('https://example.org/')
  })

  test('refuses what is more than a page', () => {
    const urls = [
      'http://example.org/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,x',
      'smb://server/share',
      'ms-settings:',
      'app://lab-planner/',
      'https://user@example.org/',
      'https://example.org:pass@evil.example/',
      '//example.org',
      'not a url',
      '',
    ]
    for (const url of urls) expect(safeExternalUrl(url), url).toBeNull()
  })
})
