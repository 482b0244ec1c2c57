import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { execa } from 'execa';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app.ts';
import { Node } from '../jobs/node.ts';
import { startCoordinator } from '../../e2e/coordinator-process.ts';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import { mailServer } from '../../support/mail-server.ts';
import { layReadyCluster } from '../../support/ready-cluster.ts';
import { root } from '../../support/source-files.ts';
import { run } from '../../support/run-program.ts';
import { until } from '../../support/until.ts';
import { hearErrors, openBrowser, whyNoChromium } from './open-browser.ts';

const folder = await makeDataDir();
const dataDir = join(folder, 'data');
const mail = await mailServer({ after });
await layReadyCluster(dataDir);
const place = { root, dataDir, environment: { SMTP_URL: mail.url, MAIL_FROM: 'gpumark <noreply@gpumark.test>' } };
let coordinator = await startCoordinator(place);
const { baseUrl } = coordinator;
// Closed before the coordinator stops, which would else wait for its live pages.
const context = openBrowser({ after });
after(async () => {
  await coordinator.stop();
  await removeDataDir(folder);
});

const agent = join(root, 'dist', 'gpumark-agent');
const PASSWORD = 'correct horse battery';

/** From nothing to a signed-in administrator of a new company, using only the pages and the mail. */
async function signUp(page: Page, email: string, company: string): Promise<void> {
  await page.goto(`${baseUrl}/sign-up`);
  await page.getByLabel('Company').fill(company);
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('Look into your mail.').waitFor();
  const sent = await mail.mailTo(email);
  await page.goto(/http:\S+\/sign-up\/\S+/.exec(sent.text)?.[0] ?? assert.fail(sent.text));
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('link', { name: 'Sign in' }).last().click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
}

/** A job of one node; returns the address of its page and the token in its command line. */
async function newJob(page: Page): Promise<{ address: string; token: string }> {
  await page.getByRole('link', { name: 'New job' }).click();
  await page.getByRole('button', { name: 'Create the job' }).click();
  const line = (await page.locator('.cmd code').textContent()) ?? '';
  const token = /GPUMARK_API_KEY=(\S+) gpumark-agent/.exec(line)?.[1] ?? assert.fail(line);
  await page.getByRole('link', { name: 'Watch the job' }).click();
  await page.getByText('waiting for node 1 of 1').waitFor();
  return { address: page.url(), token };
}

const runAgent = (token: string, name: string) =>
  execa(agent, ['--json', '--device', 'cpu', '--max-seconds', '3'], {
    env: { GPUMARK_API_KEY: token, GPUMARK_STATE_DIR: join(folder, name) },
    reject: false,
  });

/** A node whose calls the test makes over HTTP: the tests with a real agent show that the agent does the same. */
function protocolNode(address: string, token: string): Node {
  const remote = {
    app: { request: (path: string, init: RequestInit) => fetch(`${baseUrl}${path}`, init) },
    clock: { now: () => new Date() },
  };
  const id = address.split('/').at(-1) ?? '';
  return new Node(remote as unknown as TestApp, { id, token, name: '', created_at: '', expires_at: '' });
}

test(
  'sign-up, job, agent, live page, report, key and a call with that key, in a browser',
  { skip: whyNoChromium },
  async () => {
    const page = await (await context()).newPage();
    const errors = hearErrors(page);
    await signUp(page, 'ada@example.com', 'Example Compute');
    const { address, token } = await newJob(page);
    let loads = 0;
    page.on('framenavigated', () => (loads += 1));
    const ended = await runAgent(token, 'live');
    assert.ok(ended.exitCode === 0 || ended.exitCode === 3, ended.stderr.slice(-1500));
    await page.getByRole('link', { name: 'Report as PDF' }).waitFor({ timeout: 240_000 });
    await page.getByText('of 1 nodes delivered').waitFor();
    assert.equal(loads, 0, 'everything arrived without a reload');
    assert.equal(await page.getByRole('link', { name: 'Abort' }).count(), 0, 'an ended job cannot be aborted');
    const report = await page.request.get(`${address}/report.pdf`);
    assert.equal((await report.body()).subarray(0, 5).toString(), '%PDF-');
    // Keys require Plus: the operator changes the tier as for a sale.
    const added = await run(['subscription', 'add', '--company', 'Example Compute', '--tier', 'plus'], {
      DATA_DIR: dataDir,
      DATABASE_URL: '',
    });
    assert.equal(added.code, 0, added.stderr);
    await page.goto(`${baseUrl}/company/keys`);
    await until('the tier', async () => (await page.reload()) && (await page.getByLabel('What it is for').count()) > 0);
    await page.getByLabel('Name', { exact: true }).fill('ci');
    await page.getByLabel('What it is for').fill('nightly runs');
    await page.getByRole('button', { name: 'Add the name' }).click();
    await page.getByRole('button', { name: 'Make a key of ci' }).click();
    const key = (await page.locator('.secret output').textContent()) ?? '';
    assert.match(key, /^gmk_/);
    const answer = await fetch(`${baseUrl}/api/gpu-mark/v1/jobs`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(answer.status, 200, await answer.clone().text());
    await page.goto(`${baseUrl}/company/keys`);
    assert.ok(!(await page.content()).includes(key), 'a key is shown only once');
    assert.deepEqual(errors, []);
  },
);

test('the same without JavaScript, up to the report', { skip: whyNoChromium }, async () => {
  const page = await (await context({ javaScriptEnabled: false })).newPage();
  await signUp(page, 'grace@example.com', 'Plain Pages');
  const { address, token } = await newJob(page);
  assert.match(await page.content(), /<meta http-equiv="refresh" content="10"/);
  const ended = await runAgent(token, 'plain');
  assert.ok(ended.exitCode === 0 || ended.exitCode === 3, ended.stderr.slice(-1500));
  const link = page.getByRole('link', { name: 'Report as PDF' });
  await until('the report on the page', async () => (await page.goto(address)) && (await link.count()) === 1);
  const href = (await link.getAttribute('href')) ?? '';
  const report = await page.request.get(new URL(href, address).href);
  assert.equal((await report.body()).subarray(0, 5).toString(), '%PDF-');
});

test(
  'a live page continues after a restart of the coordinator, without a reload and without a gap',
  { skip: whyNoChromium },
  async () => {
    const page = await (await context()).newPage();
    await signUp(page, 'joan@example.com', 'Restarted');
    const { address, token } = await newJob(page);
    let loads = 0;
    page.on('framenavigated', () => (loads += 1));
    await page.getByText('Live.').waitFor();
    const { port } = new URL(baseUrl);
    await coordinator.stop();
    coordinator = await startCoordinator({ ...place, port });
    await protocolNode(address, token).run();
    await page.getByRole('link', { name: 'Report as PDF' }).waitFor({ timeout: 240_000 });
    assert.equal(loads, 0);
  },
);

test('the page of a job is within its budget: bytes, requests, no layout shift', { skip: whyNoChromium }, async () => {
  const page = await (await context()).newPage();
  await page.goto(`${baseUrl}/sign-in?next=/jobs`);
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
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
