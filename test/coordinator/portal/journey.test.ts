import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { execa } from 'execa';
import { buildDrivers, oneSmallCard, SHORTENED } from '../../e2e/simulated-machine.ts';
import { run } from '../../support/run-program.ts';
import { root } from '../../support/source-files.ts';
import { until } from '../../support/until.ts';
import { hearErrors, whyNoChromium } from './browser/open-browser.ts';
import { openJourney } from './browser/portal-journey.ts';

const agent = join(root, 'dist', 'gpumark-agent');
const skip = whyNoChromium || (existsSync(agent) ? false : 'needs dist/gpumark-agent: make agent');

test('sign-up, job, agent, live page, report, key and a call with that key, in a browser', { skip }, async () => {
  await buildDrivers();
  const { folder, coordinator, context, signUp, newJob } = await openJourney({ after });
  const { baseUrl } = coordinator;
  const page = await (await context()).newPage();
  const errors = hearErrors(page);
  await signUp(page, 'ada@example.com', 'Example Compute');
  const { address, token } = await newJob(page);
  let loads = 0;
  page.on('framenavigated', () => (loads += 1));
  const ended = await execa(agent, ['--json', ...SHORTENED], {
    env: { ...oneSmallCard, GPUMARK_API_KEY: token, GPUMARK_STATE_DIR: join(folder, 'agent') },
    reject: false,
  });
  assert.ok(ended.exitCode === 0 || ended.exitCode === 3, ended.stderr.slice(-1500));
  await page.getByRole('link', { name: 'Report (PDF)' }).waitFor();
  // The steps of an ended job are folded into one line, which says how it ended.
  await page.locator('#r-past summary').getByText('after its start').waitFor();
  assert.equal(loads, 0, 'everything arrived without a reload');
  assert.equal(await page.getByRole('link', { name: 'Abort' }).count(), 0, 'an ended job cannot be aborted');
  const report = await page.request.get(`${address}/report.pdf`);
  assert.equal((await report.body()).subarray(0, 5).toString(), '%PDF-');
  // Keys require Plus: the operator changes the tier as for a sale.
  const added = await run(['subscription', 'add', '--company', 'Example Compute', '--tier', 'plus'], {
    DATA_DIR: join(folder, 'data'),
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
});
