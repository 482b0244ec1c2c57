import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { testApp } from '../../../support/app.ts';
import { makeJob, Node } from '../../jobs/node.ts';
import { signedIn } from '../browser-session.ts';
import { eightGpus, ofTier } from '../world.ts';
import { openBrowser, takeCookies, whyNoChromium } from './open-browser.ts';

describe('what a buyer comes for, without a script and counted in steps', { skip: whyNoChromium }, async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const { url } = await app.listen();
  const context = openBrowser({ after });
  const { user, it } = await signedIn(app);
  const open = async (): Promise<Page> => {
    const own = await context({ viewport: { width: 1280, height: 800 }, javaScriptEnabled: false });
    await takeCookies(own, { it }, url);
    return own.newPage();
  };
  /** A job of nodes of eight GPUs; on the last node one returned a wrong product, if `isBad`. */
  const measured = async (name: string, { nodes, isBad }: { nodes: number; isBad: boolean }): Promise<string> => {
    const job = await makeJob(app, user, { name, node_count: nodes });
    const made = Array.from({ length: nodes }, () => new Node(app, job));
    for (const node of made) await node.register();
    for (const [place, node] of made.entries()) {
      const payload = ofTier(eightGpus(node.machineUuid, 0, { bf16: 700 }));
      const { test_results } = payload.benchmark_results['quick_mark'] as { test_results: object[] };
      const wrong = { bf16_tflops: { verdict: 'bad', rule: 'verification: 3 of 4096 products are wrong' } };
      if (isBad && place === nodes - 1) Object.assign(test_results[6] ?? {}, { bf16_tflops: null, verdicts: wrong });
      await node.results(node.result(payload));
    }
    for (const node of made) await node.complete();
    return job.id;
  };

  test('the page of a job names the bad GPU, what to do and its node in the grid on one screen of 1280 x 800, without scrolling', async () => {
    const page = await open();
    await page.goto(`${url}/jobs/${await measured('two nodes', { nodes: 2, isBad: true })}`);
    const isOnScreen = async (part: Locator): Promise<boolean> => {
      const box = await part.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 800;
    };
    const problem = page.getByRole('listitem').filter({ hasText: 'GPU 6' }).first();
    assert.match(await page.locator('.verdict').innerText(), /^\d problems?: 1 bad/);
    assert.match(await problem.innerText(), /bf16: 3 of 4096 products are wrong/);
    assert.match(await problem.innerText(), /Do: Take the device out of service/);
    assert.equal(await page.locator('.card').count(), 3);
    for (const part of [
      page.locator('.verdict'),
      problem,
      page.locator('.card').last(),
      page.getByRole('link', { name: 'GPU 6, bad' }),
    ])
      assert.equal(await isOnScreen(part), true, await part.innerText());
    // One step more leads to the evidence.
    await problem.getByRole('link').first().click();
    assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /^host-/);
    assert.equal(await page.locator('#figures').count(), 1);
  });

  test('two jobs are compared from the list in three steps: two ticks and one button', async () => {
    await measured('before', { nodes: 1, isBad: false });
    await measured('after', { nodes: 1, isBad: false });
    const page = await open();
    await page.goto(`${url}/jobs`);
    await page.getByLabel('Compare before').check();
    await page.getByLabel('Compare after').check();
    await page.getByRole('button', { name: 'Compare the ticked jobs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Compare runs' }).waitFor();
    assert.equal(await page.locator('main ol > li').filter({ hasText: '8 x NVIDIA H100' }).count(), 2);
    assert.match(await page.getByRole('row', { name: /^bf16/ }).innerText(), /700[^]*no difference/);
  });
});
