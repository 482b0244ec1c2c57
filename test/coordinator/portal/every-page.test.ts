import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { matchesGolden } from '../../support/golden.ts';
import { programPath, whyWithout } from '../../support/debian-packages.ts';
import { hearErrors, openBrowser, takeCookies } from './open-browser.ts';
import { pageViews, type PageView } from './page-views.ts';
import { portalWorld } from './world.ts';

const skip = programPath('chromium') === null ? await whyWithout(['chromium'], 'chromium') : false;
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = '["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]';
const [NARROWEST, NARROW, WIDE, WIDEST] = [320, 390, 1280, 1920];

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

/**
 * Elements that extend beyond the window or are clipped by their own box, except scrolling regions and text for screen
 * readers only.
 */
const LAYOUT = `(() => {
  const found = [];
  const name = (el) => el.outerHTML.slice(0, 160);
  if (document.documentElement.scrollWidth > innerWidth) found.push('scrolls sideways: ' + document.documentElement.scrollWidth);
  const mayScroll = (el) => { for (let up = el.parentElement; up; up = up.parentElement) if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true; return false; };
  // On a screen of usual width all columns of a table fit.
  if (innerWidth >= ${WIDE}) for (const el of document.querySelectorAll('.scroll')) if (el.scrollWidth > el.clientWidth) found.push('a table of ' + el.scrollWidth + ' px: ' + name(el));
  for (const el of document.body.querySelectorAll('*')) {
    const box = el.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || el.closest('.vh, .skip, table.stack thead, details:not([open]) > :not(summary)')) continue;
    if ((box.right > innerWidth + 1 || box.left < -1) && !mayScroll(el)) found.push('beyond the window: ' + name(el));
    const style = getComputedStyle(el);
    const hides = /hidden|clip/.test(style.overflowX + style.overflowY) && !(el instanceof SVGElement);
    if (hides && (el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 1) && el.textContent.trim() !== '') found.push('cut off: ' + name(el));
    const svg = el instanceof SVGTextElement ? el.ownerSVGElement.getBoundingClientRect() : null;
    if (svg && (box.left < svg.left - 1 || box.right > svg.right + 1 || box.top < svg.top - 1 || box.bottom > svg.bottom + 1)) found.push('outside its drawing: ' + name(el));
  }
  return found;
})()`;

describe('every page of the router in a browser', { skip }, async () => {
  const world = await portalWorld({ after });
  const { url } = await world.app.listen();
  const context = openBrowser({ after });
  const views = await pageViews(world);
  const pages = new Map<PageView['as'], Page>();
  const errors = new Map<Page, string[]>();
  const pageOf = async (as: PageView['as']): Promise<Page> => {
    const known = pages.get(as);
    if (known) return known;
    const own = await context({ viewport: { width: WIDE, height: 900 }, timezoneId: 'UTC', locale: 'en-GB' });
    if (as !== null) await takeCookies(own, as, url);
    const page = await own.newPage();
    errors.set(page, hearErrors(page));
    pages.set(as, page);
    return page;
  };
  const violations = async (page: Page, only: string): Promise<string[]> => {
    const found = (await page.evaluate(`axe.run(document, { runOnly: ${only}, resultTypes: ["violations"] })`)) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };

  for (const { name, path, as, status } of views)
    test(`${name}: no axe violation in light or dark, nothing is cut off, no script or policy error`, async () => {
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
      const problems: string[] = [];
      for (const width of [NARROWEST, NARROW, WIDE, WIDEST]) {
        await page.setViewportSize({ width, height: 900 });
        const found: string[] = await page.evaluate(LAYOUT);
        problems.push(...found.map((text) => `${width}: ${text}`));
      }
      await page.evaluate(axe);
      problems.push(...(await violations(page, rules)));
      // Dark mode differs in colours only.
      await page.emulateMedia({ colorScheme: 'dark' });
      problems.push(...(await violations(page, '["color-contrast"]')).map((text) => `dark: ${text}`));
      await page.emulateMedia({ colorScheme: 'light' });
      assert.deepEqual(problems, []);
    });
});
