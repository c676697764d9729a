/** Longest explanation that is shown. */
const MAX_WORDS = 400

/**
 * Why ssh did not get through, in its own words: what it wrote to standard error, without repeats and control
 * characters. Of an unknown host key only the line that says so is kept; with what the operator may do where there is
 * something.
 */
export function sshWords(stderr: string, exitCode: number | null): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\p{C}/gu, ' ').trim())
    .filter((line) => line !== '' && !/^@+$/.test(line))
  const said = [...new Set(lines)].join('; ').replaceAll('.; ', '. ').slice(0, MAX_WORDS)
  const words = said === '' ? `ssh ended${exitCode === null ? '' : ` with exit code ${exitCode}`}` : said
  const hint = hintFor(said)
  return hint === null ? words : `${words} (${hint})`
}

function hintFor(said: string): string | null {
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED/i.test(said)) {
    return 'find out why it changed before you connect to it'
  }
  if (/host key verification failed|host key is known for/i.test(said)) {
    return 'connect to it once by hand, and compare its key'
  }
  if (/permission denied/i.test(said)) return 'is the key in your agent? Try: ssh-add -l'
  return null
}
