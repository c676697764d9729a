import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frame, FrameReader } from '../../../../shared/gather/frames.ts'
import { hardwareScript, hardwareSections } from '../../../../shared/gather/hardware-script.ts'
import { linkPairs, linkRates } from '../../../../shared/gather/link-pairs.ts'
import { keptFactsWords } from '../../../../shared/gather/machines.ts'
import { answererIn, remoteCommand } from '../../../../shared/gather/remote-command.ts'
import { readSshConfig } from '../../../../shared/gather/ssh-config.ts'
import { sshWords } from '../../../../shared/gather/ssh-words.ts'

const MARK = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

test('lines of an answer are found among anything else, however the output is cut', () => {
  const noise = fc.string({ maxLength: 20 }).map((text) => text.replaceAll('@', ''))
  const piece = fc.record({
    before: noise,
    text: fc.string({ maxLength: 30 }).map((t) => t.replace(/[\r\n]/g, '')),
  })
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }),
      fc.array(fc.nat({ max: 40 }), { maxLength: 12 }),
      (pieces, cuts) => {
        const output = pieces.map(({ before, text }) => `${before}${frame(MARK, text)}`).join('')
        const reader = new FrameReader(MARK, 10_000)
        const found: string[] = []
        let at = 0
        for (const cut of [...cuts, output.length]) {
          found.push(...reader.push(output.slice(at, at + cut)))
          at += cut
        }
        expect(found).toEqual(pieces.map(({ text }) => text))
      },
    ),
  )
})

test('a line that never ends is not read for ever', () => {
  const reader = new FrameReader(MARK, 100)
  expect(reader.push('x'.repeat(101))).toEqual([])
  expect(reader.isTooLong).toBe(true)
  expect(reader.push(`\n${frame(MARK, 'late')}`)).toEqual([])
})

test('the command for a machine reads the same in every login shell', () => {
  const command = remoteCommand(MARK)
  expect(command).toMatch(/^exec sh -c '[^'\\!\n\r]+'$/)
  // What a shell shows of the command is no answer.
  expect(new FrameReader(MARK, 10_000).push(`${command}\n`)).toEqual([])
  expect(answererIn('ready node')).toBe('node')
  expect(answererIn('ready perl')).toBeNull()
})

test('the hardware script writes nothing and marks every line', () => {
  const script = hardwareScript(MARK)
  for (const line of script.split('\n')) {
    const others = line.replaceAll('2>/dev/null', '').replaceAll('>/dev/null', '').replaceAll('2>&1', '')
    expect(others).not.toMatch(/[^-=]>/)
  }
  const sections = hardwareSections(['system Linux', 'df a b', 'df c', 'df.exit 0'])
  expect(sections.get('df')).toEqual(['a b', 'c'])
})

test('hosts of an ssh configuration are names, never patterns', () => {
  const text = `# mine
Host gpu-box pi "mac studio" 'x
  HostName 10.0.0.2
Host *.lab !bad gpu-?
host=equal # a comment
	HOST  tabbed
Include ~/.ssh/more/*  other
Match host never
`
  expect(readSshConfig(text)).toEqual({
    hosts: ['gpu-box', 'pi', 'equal', 'tabbed'],
    includes: ['~/.ssh/more/*', 'other'],
  })
})

test('what ssh says is said once, with what to do where something can be done', () => {
  expect(sshWords('Permission denied (publickey).\r\n', 255)).toBe(
    'Permission denied (publickey). (is the key in your agent? Try: ssh-add -l)',
  )
  expect(sshWords('a\na\n', 255)).toBe('a')
  expect(sshWords('', 255)).toBe('ssh ended with exit code 255')
  expect(sshWords('\u001b[31mred', null)).toBe('[31mred')
})

test('each machine takes part in two transfers, and the fastest one that it took part in counts', () => {
  expect(linkPairs(['a'])).toEqual([])
  expect(linkPairs(['a', 'b', 'c'])).toEqual([
    { to: 'a', from: 'b' },
    { to: 'b', from: 'c' },
    { to: 'c', from: 'a' },
  ])
  const results = [
    { to: 'a', from: 'b', mbps: 941.7, reason: null },
    { to: 'b', from: 'c', mbps: 96.2, reason: null },
    { to: 'c', from: 'a', mbps: null, reason: 'away' },
  ]
  expect(linkRates(results)).toEqual(
    new Map([
      ['b', 940],
      ['a', 940],
      ['c', 96],
    ]),
  )
})

test('facts of a machine that did not answer are said to be old', () => {
  expect(keptFactsWords(1000, 1000 + 3 * 86_400)).toBe('its old facts stay, stale: 3 days old')
  expect(keptFactsWords(1000, 1000 + 7200)).toBe('its old facts stay, stale: 2 hours old')
  expect(keptFactsWords(null, 0)).toBe('the lab has no facts of it')
})
