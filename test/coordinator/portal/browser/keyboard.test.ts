import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testApp } from '../../../support/app.ts';
import { makeJob } from '../../jobs/node.ts';
import { signedIn } from '../browser-session.ts';
import { openBrowser, takeCookies, whyNoChromium } from './open-browser.ts';

/** Visible controls in document order; of a group of radio buttons the chosen one, from which arrow keys go on. */
const FIND_CONTROLS = `globalThis.controls = [...document.querySelectorAll(
  'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]',
)].filter((el) => el.checkVisibility({ visibilityProperty: true }) && !(el.type === 'radio' && !el.checked));
globalThis.controls.map((el) => el.outerHTML.slice(0, 100))`;

/** The control that has the focus, by its place, and what shows that it has it. */
const FOCUSED = `(() => {
  const el = document.activeElement;
  const box = el.getBoundingClientRect();
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(el);
  return {
    at: globalThis.controls.indexOf(el),
    isOnScreen: box.width > 0 && box.height > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.top < innerHeight,
    outline: [outlineStyle, outlineWidth, outlineColor].join(' '),
  };
})()`;

interface Focused {
  at: number;
  isOnScreen: boolean;
  outline: string;
}

describe('a page by the keyboard', { skip: whyNoChromium }, async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const { url } = await app.listen();
  const context = openBrowser({ after });
  const { user, it } = await signedIn(app);
  await makeJob(app, user);
  await makeJob(app, user);
  const openPage = async (path: string): Promise<Page> => {
    const own = await context({ viewport: { width: 1280, height: 900 }, timezoneId: 'UTC', locale: 'en-GB' });
    await takeCookies(own, { it }, url);
    const page = await own.newPage();
    await page.goto(`${url}${path}`);
    return page;
  };

  test('the first control leads past the header to the content', async () => {
    const page = await openPage('/jobs');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'New job');
  });

  // With a filter of those under `More filters`, which is then open.
  for (const [path, least] of [
    ['/jobs?node_count_min=1', ['name="created_after"', 'href="/jobs/new"', 'href="/docs"']],
    ['/jobs/new', ['name="benchmark"', 'name="launcher"', 'href="/docs"']],
  ] as const)
    test(`${path}: Tab reaches every visible control once, in the order of the page, and each shows an outline`, async () => {
      const page = await openPage(path);
      const controls: string[] = await page.evaluate(FIND_CONTROLS);
      for (const one of least)
        assert.ok(
          controls.some((control) => control.includes(one)),
          `${one} is one of ${controls.join('\n')}`,
        );
      for (const [at, control] of controls.entries()) {
        await page.keyboard.press('Tab');
        const focused: Focused = await page.evaluate(FOCUSED);
        assert.deepEqual({ at: focused.at, isOnScreen: focused.isOnScreen }, { at, isOnScreen: true }, control);
        assert.match(focused.outline, /^solid 3px rgb\(/, control);
      }
      await page.keyboard.press('Tab');
      const { at }: Focused = await page.evaluate(FOCUSED);
      assert.ok(at === -1 || at === 0, 'after the last one nothing is reached a second time');
    });

  test('a form with errors: their list has the focus, and its links lead to the fields', async () => {
    const page = await openPage('/jobs/new');
    await page.getByLabel('Tags').fill(Array.from({ length: 11 }, (_, n) => `tag${n}`).join(', '));
    await page.getByRole('button', { name: 'Create job' }).click();
    await page.getByText('Nothing was changed.').first().waitFor();
    assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'alert');
    await page.getByRole('alert').getByRole('link').first().click();
    assert.equal(await page.evaluate('document.activeElement.name'), 'tags');
  });
});
