/** How long the process may take to end by itself, in milliseconds. */
const GRACE_MS = 1000

/**
 * Ends this process, whose work is done, although a program that it asked does not end: what waits for a dead share or a
 * hung driver cannot even be killed. Says so with `tell`. What was written is on its way first.
 */
export function endProcess(tell: (text: string) => void): void {
  // Without a hold on the process: it runs only where something else keeps the process from ending.
  setTimeout(() => {
    if (process.stdout.writableLength > 0 || process.stderr.writableLength > 0) {
      endProcess(tell)
      return
    }
    const programs = process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
    if (programs > 0) {
      const they =
        programs === 1
          ? 'A program that was asked does not end, and is'
          : `${programs} programs that were asked do not end, and are`
      tell(`${they} left behind. A share that is gone or a driver that hangs can be the cause.`)
    }
    process.exit()
  }, GRACE_MS).unref()
}
