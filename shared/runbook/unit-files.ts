import { madeBy } from '../export/made-by.ts'
import type { Server } from './server.ts'

/** A systemd unit for one role. `root` must be mounted before it starts. */
export function systemdUnit(nodeId: string, server: Server, root: string, planHash: string): string {
  const { role, program, args, env } = server
  return [
    `# ${madeBy(nodeId, planHash)}`,
    '[Unit]',
    `Description=${role.replaceAll('%', '%%')} (${server.manifest.body.name.replaceAll('%', '%%')})`,
    'Wants=network-online.target',
    'After=network-online.target',
    `RequiresMountsFor=${systemdWord(root)}`,
    '',
    '[Service]',
    `ExecStart=${[systemdWord(program), ...args.map(execWord)].join(' ')}`,
    ...env.map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}`),
    'Restart=on-failure',
    'RestartSec=5',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n')
}

/** One word of a systemd setting: `%` starts a specifier there. */
function systemdWord(text: string): string {
  const escaped = text
    .replaceAll('%', '%%')
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? escaped : `"${escaped}"`
}

/** One word of a command line, where `$` starts a variable too. */
function execWord(text: string): string {
  return systemdWord(text).replaceAll('$', '$$$$')
}

/** The label of a role's launchd job. */
export function launchdLabel(role: string): string {
  return `lab-planner.${role.replace(/[^A-Za-z0-9._-]/g, '-')}`
}

/** A launchd property list for one role: it is kept running from login on. */
export function launchdPlist(nodeId: string, server: Server, planHash: string): string {
  const { role, program, args, env } = server
  const log = `/tmp/${launchdLabel(role)}.log`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- ${madeBy(nodeId, planHash).replaceAll('--', '- -')} -->`,
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...entry('Label', text(launchdLabel(role))),
    ...entry(
      'ProgramArguments',
      ['<array>', ...[program, ...args].map((arg) => `  ${text(arg)}`), '</array>'].join('\n  '),
    ),
    ...(env.length === 0
      ? []
      : entry(
          'EnvironmentVariables',
          [
            '<dict>',
            ...env.flatMap(([name, value]) => [`  <key>${xml(name)}</key>`, `  ${text(value)}`]),
            '</dict>',
          ].join('\n  '),
        )),
    ...entry('RunAtLoad', '<true/>'),
    ...entry('KeepAlive', '<true/>'),
    ...entry('StandardOutPath', text(log)),
    ...entry('StandardErrorPath', text(log)),
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

function entry(key: string, value: string): string[] {
  return [`  <key>${key}</key>`, `  ${value}`]
}

function text(value: string): string {
  return `<string>${xml(value)}</string>`
}

function xml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
