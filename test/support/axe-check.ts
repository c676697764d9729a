import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeWindow {
  readonly axe?: { readonly run: (context: Node, options: RunOptions) => Promise<AxeResults> }
}

/** What axe finds serious or critical on the page as it stands: rule, element and why. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, which the page’s policy against foreign scripts does not bind.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = window as AxeWindow
    if (axe === undefined) throw new Error('axe is not there')
    // Behind an open menu everything is out of reach; axe knows that of dialogs only.
    const menu = document.querySelector('[role=menu]')
    const { violations } = await axe.run(menu ?? document, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary ?? ''}`),
      )
  })
}
