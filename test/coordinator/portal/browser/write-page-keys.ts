import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { codeHashOf } from '../../../run/heavy/proof-keys.ts';
import { browser } from '../browser-session.ts';
import { pageViews } from '../page-views.ts';
import { postedFlows, postedViews } from '../posted-views.ts';
import { readPage } from '../read-page.ts';
import { portalWorld } from '../world.ts';
import { pageKey } from './page-key.ts';

/** `write-page-keys.ts FILE`: the key of each page's view by its name, as JSON; see page-key.ts. */
const [into = ''] = process.argv.slice(2);
const closers: (() => Promise<unknown>)[] = [];
const lifetime = { after: (close: () => Promise<void>) => void closers.push(close) };

try {
  // What walks the pages, and the scripts that all of them have.
  const common = createHash('sha256')
    .update(
      codeHashOf(['page-problems.ts', 'open-browser.ts'].map((name) => `test/coordinator/portal/browser/${name}`)),
    )
    .update(codeHashOf(['coordinator/portal/scripts/']))
    .digest('hex');
  const keys: Record<string, string> = {};
  const add = (name: string, html: string): void => {
    if (name in keys) throw new Error(`two pages are called ${name}`);
    keys[name] = pageKey(name, html, common);
  };
  const world = await portalWorld(lifetime);
  for (const { name, path, as } of await pageViews(world))
    add(name, (await readPage(as?.it ?? browser(world.app), path)).text);
  for (const { name, html } of await postedViews((await postedFlows(lifetime)).flows)) add(name, html);
  await writeFile(into, JSON.stringify(keys));
} finally {
  for (const close of closers.toReversed()) await close();
}
