import { describe, expect, test } from 'vitest'
import { DEFAULT_PREFERENCE_WEIGHT, preferenceFiles } from '../../../../shared/export/preference-files.ts'
import { model } from '../plan/make-lab.ts'

const packageId = 'ab'.repeat(32)
const manifest = model('Big', 1, { packageId })
const requirement = {
  id: 'model.present',
  count: 1,
  exclusive: false,
  where: [{ attr: 'shards', op: 'has', value: `model:${packageId}` }],
}

describe('preferenceFiles', () => {
  test('writes preference and requirement of each role that has a manifest, and names the others', () => {
    const { files, withoutManifest } = preferenceFiles([
      { role: 'coder', manifest },
      { role: 'scout', manifest: null },
    ])
    expect(withoutManifest).toEqual(['scout'])
    expect(files.map(({ role, fileName }) => [role, fileName])).toEqual([['coder', 'coder~preference.json']])
    expect(JSON.parse(files[0]?.text ?? '')).toEqual({
      role: 'coder',
      preference: { name: 'model-local:Big', requirement, weight: DEFAULT_PREFERENCE_WEIGHT },
      requirement,
    })
  })

  test('takes the weight it is given and the chosen roles only', () => {
    const roles = [
      { role: 'coder', manifest },
      { role: 'Coder', manifest },
    ]
    const { files } = preferenceFiles(roles, { weight: 0.5, roles: new Set(['Coder']) })
    expect(files.map(({ fileName }) => fileName)).toEqual(['%43oder~preference.json'])
    expect(files[0]?.text).toContain('"weight": 0.5')
  })
})
