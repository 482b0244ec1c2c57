import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { programPath, whyWithout } from '../../../support/debian-packages.ts';
import type { Lifetime } from '../../../support/lifetime.ts';
import { HANG_MS } from '../../../support/until.ts';
import type { Person } from '../world.ts';

/** False if chromium is here or can be installed; else why its tests are skipped. */
export const whyNoChromium = programPath('chromium') === null ? await whyWithout(['chromium'], 'chromium') : false;

/** Debian's chromium, started with the first page and closed after the tests. */
export function openBrowser(
  lifetime: Lifetime,
): (options?: Parameters<Browser['newContext']>[0]) => Promise<BrowserContext> {
  let browser: Promise<Browser> | undefined;
  lifetime.after(async () => (await browser)?.close());
  return async (options = {}) => {
    browser ??= chromium.launch({
      executablePath: programPath('chromium') ?? '',
      args: ['--no-sandbox'],
      timeout: HANG_MS,
    });
    const context = await (await browser).newContext(options);
    // Not 30 s: what a test waits for comes, if late on a busy machine, or it hangs.
    context.setDefaultTimeout(HANG_MS);
    return context;
  };
}

/** Copies the cookies of a person who signed in without a browser. */
export async function takeCookies(context: BrowserContext, { it }: Pick<Person, 'it'>, url: string): Promise<void> {
  await context.addCookies([...it.cookies].map(([name, value]) => ({ name, value, url })));
}

/** Errors while a page is open: of the console, of scripts, and violations of its policy. */
export function hearErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
}
