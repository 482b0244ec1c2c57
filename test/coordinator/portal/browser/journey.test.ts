import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { until } from '../../../support/until.ts';
import { whyNoChromium } from './open-browser.ts';
import { openJourney } from './portal-journey.ts';

describe('a company from its sign-up on, with nodes whose calls the test makes', { skip: whyNoChromium }, async () => {
  const { coordinator, context, signUp, signIn, newJob, protocolNode } = await openJourney({ after });
  const { baseUrl } = coordinator;

  test('signs up, makes a job and reads its report without JavaScript', async () => {
    const page = await (await context({ javaScriptEnabled: false })).newPage();
    await signUp(page, 'grace@example.com', 'Plain Pages');
    const made = await newJob(page);
    const { address } = made;
    assert.match(await page.content(), /<meta http-equiv="refresh" content="10"/);
    await protocolNode(made).run();
    const link = page.getByRole('link', { name: 'Report (PDF)' });
    await until('the report on the page', async () => (await page.goto(address)) && (await link.count()) === 1);
    const href = (await link.getAttribute('href')) ?? '';
    const report = await page.request.get(new URL(href, address).href);
    assert.equal((await report.body()).subarray(0, 5).toString(), '%PDF-');
  });

  test('a live page continues after a restart of the coordinator, without a reload and without a gap', async () => {
    const page = await (await context()).newPage();
    await signUp(page, 'joan@example.com', 'Restarted');
    const made = await newJob(page);
    let loads = 0;
    page.on('framenavigated', () => (loads += 1));
    await page.getByText('Live.').waitFor();
    await coordinator.current().stop();
    await coordinator.replace();
    await protocolNode(made).run();
    await page.getByRole('link', { name: 'Report (PDF)' }).waitFor();
    assert.equal(loads, 0);
  });

  test('the page of a job is within its budget: bytes, requests, no layout shift', async () => {
    const page = await (await context()).newPage();
    await signIn(page, 'grace@example.com');
    const job = (await page.locator('tbody a').first().getAttribute('href')) ?? '';
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('.svg')) bodies.push(response.body());
    });
    await page.addInitScript(
      'globalThis.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) globalThis.shift += entry.value; }).observe({ type: "layout-shift", buffered: true });',
    );
    await page.goto(`${baseUrl}${job}`, { waitUntil: 'networkidle' });
    const sizes = (await Promise.all(bodies)).map(({ length }) => length);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes <= 100_000, `${bytes} bytes`);
    // The page, its styles and its script at least.
    assert.ok(sizes.length >= 3 && sizes.length <= 4 && !sizes.includes(0), `${sizes.join(', ')} bytes`);
    assert.equal(await page.evaluate('globalThis.shift'), 0);
  });
});
