import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testApp } from '../../../support/app.ts';
import { call } from '../../../support/client.ts';
import { signedIn } from '../browser-session.ts';
import { hearErrors, openBrowser, takeCookies, whyNoChromium } from './open-browser.ts';

describe('what a page helps to take away', { skip: whyNoChromium }, async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const { url } = await app.listen();
  const context = openBrowser({ after });
  const { user, it } = await signedIn(app, { role: 'customer_admin', tier: 'plus' });
  const openPage = async (permissions: string[]): Promise<{ page: Page; errors: string[] }> => {
    const own = await context({ permissions });
    await takeCookies(own, { it }, url);
    const page = await own.newPage();
    return { page, errors: hearErrors(page) };
  };
  const madeJob = async (): Promise<{ id: string; launch: Record<string, string> }> => {
    const made = await call(app, 'POST', '/api/gpu-mark/v1/jobs', {
      body: { benchmarks: ['quick_mark'], node_count: 1 },
      headers: user.authorization,
    });
    return made.body as unknown as { id: string; launch: Record<string, string> };
  };

  test('Copy on the start page of a job puts the line of the chosen launcher in the clipboard, as the API gives it', async () => {
    const { id, launch } = await madeJob();
    const { page, errors } = await openPage(['clipboard-read', 'clipboard-write']);
    for (const launcher of ['binary', 'slurm']) {
      await page.goto(`${url}/jobs/${id}/start?launcher=${launcher}`);
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), launch[launcher]);
    }
    assert.deepEqual(errors, []);
  });

  test('if the browser refuses the clipboard, the button says so and the line can be selected', async () => {
    const { id, launch } = await madeJob();
    const { page } = await openPage([]);
    await page.addInitScript(
      'navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));',
    );
    await page.goto(`${url}/jobs/${id}/start`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copy failed: mark the line' }).waitFor();
    await page.locator('.cmd code').first().selectText();
    assert.equal(await page.evaluate('getSelection().toString()'), launch['binary']);
  });

  test('Copy and Download beside a new key give that key, which opens the API', async () => {
    const { page, errors } = await openPage(['clipboard-read', 'clipboard-write']);
    await page.goto(`${url}/company/keys`);
    await page.getByLabel('Name', { exact: true }).fill('ci');
    await page.getByLabel('What it is for').fill('nightly runs');
    await page.getByRole('button', { name: 'Add the name' }).click();
    await page.getByRole('button', { name: 'Make a key of ci' }).click();
    const secret = page.locator('.secret');
    const key = (await secret.locator('output').textContent()) ?? '';
    assert.match(key, /^gmk_\w+$/);
    await secret.getByRole('button', { name: 'Copy' }).first().click();
    await secret.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      secret.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'api-key.txt');
    const saved = await readFile(await download.path(), 'utf8');
    assert.equal(saved, `${key}\n`);
    const answer = await call(app, 'GET', '/api/gpu-mark/v1/jobs', {
      headers: { authorization: `Bearer ${saved.trim()}` },
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(errors, []);
  });
});
