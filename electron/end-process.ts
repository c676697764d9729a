/** How long the process may take to end by itself, in milliseconds. */
const GRACE_MS = 1000

/**
 * Ends this process, whose work is done, although a program that it asked does not end: what waits for a dead share or a
 * hung driver cannot even be killed. Says so on standard error. What was written is on its way first.
 */
export function endProcess(): void {
  // Without a hold on the process: it runs only where something else keeps the process from ending.
  setTimeout(() => {
    if (process.stdout.writableLength > 0 || process.stderr.writableLength > 0) {
      endProcess()
      return
    }
    const programs = process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
    if (programs > 0) {
      const they =
        programs === 1
          ? 'A program that was asked does not end, and is'
          : `${programs} programs that were asked do not end, and are`
      const cause = 'A share that is gone or a driver that hangs can be the cause.'
      process.stderr.write(`lab-planner: ${they} left behind. ${cause}\n`)
    }
    process.exit()
  }, GRACE_MS).unref()
}
