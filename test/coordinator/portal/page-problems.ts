import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = '["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]';
const [NARROWEST, NARROW, WIDE, WIDEST] = [320, 390, 1280, 1920];
export const usualSize = { width: WIDE, height: 900 };

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

/**
 * Cut-off content at four widths, and accessibility violations of the open page in its narrow and its wide layout and
 * in dark mode.
 */
export async function problemsOf(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.evaluate(axe);
  for (const width of [NARROWEST, NARROW, WIDE, WIDEST]) {
    await page.setViewportSize({ width, height: 900 });
    const found: string[] = await page.evaluate(LAYOUT);
    if (width === NARROW || width === WIDEST) found.push(...(await violations(page, rules)));
    problems.push(...found.map((text) => `${width}: ${text}`));
  }
  // Dark mode differs in colours only.
  await page.emulateMedia({ colorScheme: 'dark' });
  problems.push(...(await violations(page, '["color-contrast"]')).map((text) => `dark: ${text}`));
  await page.emulateMedia({ colorScheme: 'light' });
  return problems;
}

async function violations(page: Page, only: string): Promise<string[]> {
  const found = (await page.evaluate(`axe.run(document, { runOnly: ${only}, resultTypes: ["violations"] })`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
