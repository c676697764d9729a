import { answer } from './answers.ts'
import type { HostImplementation } from './dispatch.ts'
import type { HostEventHub } from './events.ts'
import { pageSettings, type SettingsStore } from './settings.ts'

/** The calls about what is remembered between runs; every page hears of a change. */
export function settingsCalls(
  settings: SettingsStore,
  events: HostEventHub,
): Pick<HostImplementation, 'settings' | 'changeSettings'> {
  return {
    settings: () => answer(pageSettings(settings.current())),
    changeSettings: async (patch) => {
      const changed = await settings.change((before) => ({
        ...before,
        theme: patch.theme ?? before.theme,
        zoom: patch.zoom ?? before.zoom,
        layout: { ...before.layout, ...patch.layout },
      }))
      const value = pageSettings(changed)
      events.tell({ name: 'settingsChanged', payload: value })
      return { ok: true, value }
    },
  }
}
