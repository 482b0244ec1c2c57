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
 * Cut-off content at four widths, and accessibility violations of the open page in its narrow and its wide layout; in
 * dark mode with the same rules, since a style for it may hide a focus or an outline as well as change a colour, but in
 * the wide layout only: no rule for a width is also one for a colour scheme.
 */
export async function problemsOf(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.evaluate(axe);
  // What is folded away is in no layout and is skipped by axe.
  await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
  for (const width of [NARROWEST, NARROW, WIDE, WIDEST]) {
    await page.setViewportSize({ width, height: 900 });
    const cut: string[] = await page.evaluate(LAYOUT);
    problems.push(...cut.map((text) => `${width}: ${text}`));
    if (width !== NARROW && width !== WIDEST) continue;
    for (const colorScheme of width === WIDEST ? (['dark', 'light'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme });
      problems.push(...(await violations(page)).map((text) => `${width}, ${colorScheme}: ${text}`));
    }
  }
  return problems;
}

async function violations(page: Page): Promise<string[]> {
  const found = (await page.evaluate(`axe.run(document, { runOnly: ${rules}, resultTypes: ["violations"] })`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
