import { describe, expect, test } from 'vitest'
import { configDirOf } from '../../../../electron/host/config-dir.ts'

const at = (platform: NodeJS.Platform, env: Record<string, string>) =>
  configDirOf({ platform, env, home: '/home/ada' })

describe('configDirOf', () => {
  test('is where each system keeps settings', () => {
    expect(at('linux', {})).toBe('/home/ada/.config/lab-planner')
    expect(at('linux', { XDG_CONFIG_HOME: '/cfg' })).toBe('/cfg/lab-planner')
    expect(at('linux', { XDG_CONFIG_HOME: 'relative' })).toBe('/home/ada/.config/lab-planner')
    expect(at('darwin', {})).toBe('/home/ada/Library/Application Support/lab-planner')
    expect(at('win32', { APPDATA: '/roaming' })).toBe('/roaming/lab-planner')
  })

  test('is what LAB_PLANNER_CONFIG_DIR says, everywhere', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(at(platform, { LAB_PLANNER_CONFIG_DIR: '/mine', XDG_CONFIG_HOME: '/cfg' })).toBe('/mine')
    }
  })
})
