import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser, takeCookies } from '../coordinator/portal/browser/open-browser.ts';
import { pageViews } from '../coordinator/portal/page-views.ts';
import { portalWorld } from '../coordinator/portal/world.ts';
import { root } from '../support/source-files.ts';

/**
 * Pictures of every page of the portal, 390 and 1280 px wide, light and dark, for people to look at: `make screenshots`, or of
 * those whose name has one of the words given.
 */
const folder = join(root, 'var', 'screenshots');
const words = process.argv.slice(2);
const closers: (() => Promise<unknown>)[] = [];
const lifetime = { after: (close: () => Promise<void>) => void closers.push(close) };

try {
  await mkdir(folder, { recursive: true });
  const world = await portalWorld(lifetime);
  const { url } = await world.app.listen();
  const context = openBrowser(lifetime);
  const views = (await pageViews(world)).filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  for (const { name, path, as } of views) {
    const own = await context();
    if (as !== null) await takeCookies(own, as, url);
    const page = await own.newPage();
    await page.goto(`${url}${path}`);
    for (const width of [390, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(folder, `${name}.${width}.${colorScheme}.png`), fullPage: true });
      }
    await own.close();
    process.stdout.write(`${name}\n`);
  }
  process.stdout.write(`${views.length} pages in ${folder}\n`);
} finally {
  for (const close of closers.toReversed()) await close();
}
