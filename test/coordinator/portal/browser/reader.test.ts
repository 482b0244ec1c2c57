import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { testApp } from '../../../support/app.ts';
import { passOn } from '../../../../coordinator/platform/db/news.ts';
import { makeJob, Node } from '../../jobs/node.ts';
import { signedIn } from '../browser-session.ts';
import { openBrowser, takeCookies, whyNoChromium } from './open-browser.ts';
import { eightGpus, ofTier } from '../world.ts';

const SHIFT = `globalThis.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) globalThis.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** The same pages over a slow line: list items arrive one by one, with pauses in which a browser paints what it has. */
async function badLine(url: string): Promise<string> {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    get(`${url}${asked.url}`, { headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      if (given.headers['content-type']?.startsWith('text/html') !== true) return void given.pipe(answer);
      void text(given).then(async (whole) => {
        for (const piece of whole.split(/(?=<li)/)) {
          answer.write(piece);
          await setTimeout(50);
        }
        answer.end();
      });
    });
  });
  after(() => (server.closeAllConnections(), server.close()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a page as its reader sees it', { skip: whyNoChromium }, async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const { url } = await app.listen();
  const context = openBrowser({ after });
  const { user, it } = await signedIn(app);
  const pageIn = async (timezoneId: string, options: object = {}): Promise<Page> => {
    const own = await context({ viewport: { width: 1280, height: 900 }, timezoneId, locale: 'en-GB', ...options });
    await takeCookies(own, { it }, url);
    return own.newPage();
  };
  const measured = async (simulated = false): Promise<string> => {
    const job = await makeJob(app, user);
    const node = new Node(app, job);
    await node.register();
    await node.results(node.result(ofTier(eightGpus(node.machineUuid, 0, { simulated }))));
    await node.complete();
    return job.id;
  };

  test('times are in the reader’s zone with UTC beside them, and nothing moves when a live page is opened there', async () => {
    const job = await makeJob(app, user);
    const page = await pageIn('Asia/Tokyo');
    await page.addInitScript(SHIFT);
    await page.goto(`${await badLine(url)}/jobs/${job.id}`);
    await page.getByText('Live.').waitFor();
    const time = page.locator('#r-state time').first();
    assert.equal((await time.textContent())?.replaceAll(/\s+/g, ' '), '2026-11-21 21:00 GMT+9 2026-11-21 12:00:00 UTC');
    assert.equal(await page.evaluate('globalThis.shift'), 0);
    // Times that arrive through the stream are in the same zone.
    const node = new Node(app, job);
    await node.register();
    await node.beat();
    passOn(app.platform.sql, 'job');
    await page.getByText('started 2026-11-21 21:00 GMT+9').waitFor();
    await node.results(node.result(ofTier(eightGpus(node.machineUuid, 0))));
    await node.complete();
    passOn(app.platform.sql, 'job');
    await page.locator('#r-state').getByText('Completed').first().waitFor();
    assert.equal(await page.evaluate('globalThis.shift'), 0);
  });

  test('the status of a live page, which is announced, changes at most once in ten seconds, and then to the newest text', async () => {
    const job = await makeJob(app, user);
    const page = await pageIn('UTC');
    await page.clock.install();
    await page.goto(`${url}/jobs/${job.id}`);
    await page.getByText('Live.').waitFor();
    const node = new Node(app, job);
    await node.register();
    passOn(app.platform.sql, 'job');
    await page.getByText('1 of 1 joined').waitFor();
    const status = page.locator('#live');
    assert.equal(await status.textContent(), 'Live.');
    await page.clock.runFor(10_000);
    assert.match((await status.textContent()) ?? '', /^Live, last change/);
  });

  test('when printed a page is light, begins with its address, the time and SIMULATED, and shows the numbers below its charts', async () => {
    const job = await measured(true);
    const page = await pageIn('UTC', { colorScheme: 'dark' });
    await page.goto(`${url}/jobs/${job}`);
    const first = page.locator('.printed');
    assert.equal(await first.isVisible(), false);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
    const { publicUrl } = app.platform.config;
    assert.equal((await first.innerText()).trim(), `${publicUrl}/jobs/${job} · 2026-11-21 12:00:00 UTC`);
    assert.match(
      await page.evaluate('getComputedStyle(document.querySelector(".printed"), "::after").content'),
      /SIMULATED/,
    );
    assert.equal(await page.locator('header.top').isVisible(), false);
    const node = /\/tasks\/\d+/.exec(await page.content())?.[0] ?? assert.fail('no task');
    await page.goto(`${url}${node}`);
    assert.equal(await page.getByRole('rowheader', { name: '50.8' }).isVisible(), true);
  });

  test('without JavaScript a live page reloads until that is turned off', async () => {
    const job = await makeJob(app, user);
    const page = await pageIn('UTC', { javaScriptEnabled: false });
    await page.goto(`${url}/jobs/${job.id}`);
    assert.equal(await page.locator('meta[http-equiv="refresh"]').getAttribute('content'), '10');
    await page.getByRole('link', { name: 'Stop that' }).click();
    assert.equal(await page.locator('meta[http-equiv="refresh"]').count(), 0);
    assert.match(await page.locator('p.live').innerText(), /This page does not load again by itself\./);
  });
});
