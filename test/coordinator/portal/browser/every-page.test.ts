import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { matchesGolden } from '../../../support/golden.ts';
import { hearErrors, openBrowser, takeCookies, whyNoChromium } from './open-browser.ts';
import { problemsOf, usualSize } from './page-problems.ts';
import { STALE_PAGES } from '../../../run/heavy/stale-pages.ts';
import { pageViews, type PageView } from '../page-views.ts';
import { postedFlows, postedViews } from '../posted-views.ts';
import { portalWorld } from '../world.ts';

/**
 * Pages whose accessibility tree is compared with that in `test/golden/portal`: screenshots would depend on the
 * machine's fonts.
 */
const goldens = new Set([
  'jobs.owner',
  'jobs-new.owner',
  'jobs-ID.owner',
  'jobs-fresh.owner',
  'shared-jobs-ID.stranger',
  'tasks-ID.owner',
  'compare-items-job-ID-task-ID.owner',
  'company-keys.owner',
]);

/** Ids and e-mail addresses differ in each run. */
const treeOf = async (page: Page): Promise<string> =>
  `${await page.locator('body').ariaSnapshot()}\n`
    // The status depends on whether the stream is open yet.
    .replaceAll(/- status(: .*)?$/gm, '- status')
    .replaceAll(/\d{10,}/g, 'ID')
    .replaceAll(/person\d+@/g, 'person@')
    .replaceAll(/\/s\/[\w.-]+/g, '/s/TOKEN');

/** Pages whose keys are as at the last green run are as they were; unset: all are walked. */
const stale = process.env[STALE_PAGES];
const isWalked = ({ name }: { name: string }): boolean =>
  stale === undefined || (JSON.parse(stale) as string[]).includes(name);
const title = (name: string): string =>
  `${name}: no axe violation on a narrow or wide screen, in light or dark, nothing is cut off, no script or policy error`;

describe('every page of the router in a browser', { skip: whyNoChromium }, async () => {
  const world = await portalWorld({ after });
  const { url } = await world.app.listen();
  const context = openBrowser({ after });
  const views = await pageViews(world);
  const pages = new Map<PageView['as'], Page>();
  const errors = new Map<Page, string[]>();
  const pageOf = async (as: PageView['as']): Promise<Page> => {
    const known = pages.get(as);
    if (known) return known;
    const own = await context({ viewport: usualSize, timezoneId: 'UTC', locale: 'en-GB' });
    if (as !== null) await takeCookies(own, as, url);
    const page = await own.newPage();
    errors.set(page, hearErrors(page));
    pages.set(as, page);
    return page;
  };
  for (const { name, path, as, status } of views.filter(isWalked))
    test(title(name), async () => {
      const page = await pageOf(as);
      const complaints = errors.get(page) ?? [];
      complaints.length = 0;
      const answer = await page.goto(`${url}${path}`, { waitUntil: 'load' });
      assert.equal(answer?.status(), status);
      // The browser itself logs the status of the requested page.
      assert.deepEqual(
        complaints.filter((text) => status === 200 || !text.includes(`status of ${status}`)),
        [],
      );
      if (goldens.has(name)) await matchesGolden(`portal/${name}.aria.yml`, await treeOf(page));
      assert.deepEqual(await problemsOf(page), []);
    });
});

describe('pages that only a sent form or a link by mail shows, in a browser', { skip: whyNoChromium }, async () => {
  const { app, flows } = await postedFlows({ after });
  const { url } = await app.listen();
  const context = openBrowser({ after });
  for (const { name, path, status, headers, html } of (await postedViews(flows)).filter(isWalked))
    test(title(name), async () => {
      const page = await (await context({ viewport: usualSize, timezoneId: 'UTC', locale: 'en-GB' })).newPage();
      const complaints = hearErrors(page);
      // As it was answered to the form, with its policy; styles and scripts come from the app.
      await page.route(`${url}${path}`, (route) =>
        route.fulfill({ status, headers: Object.fromEntries(headers), body: html }),
      );
      await page.goto(`${url}${path}`, { waitUntil: 'load' });
      assert.deepEqual(
        complaints.filter((text) => status === 200 || !text.includes(`status of ${status}`)),
        [],
      );
      assert.deepEqual(await problemsOf(page), []);
      await page.context().close();
    });
});
