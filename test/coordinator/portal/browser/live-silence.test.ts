import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { passOn } from '../../../../coordinator/platform/db/news.ts';
import { testApp } from '../../../support/app.ts';
import { startTcpProxy } from '../../../support/tcp-proxy.ts';
import { makeJob, Node } from '../../jobs/node.ts';
import { signedIn } from '../browser-session.ts';
import { hearErrors, openBrowser, takeCookies, whyNoChromium } from './open-browser.ts';

/** Longer than the 40 s without a beat after which `live.js` connects again, and the 5 s between its looks. */
const SILENT_MS = 46_000;

test(
  'a live page whose connection stays open but brings nothing for 40 s connects again and shows what it missed',
  { skip: whyNoChromium },
  async () => {
    const app = await testApp({ after });
    const { url } = await app.listen();
    const proxy = await startTcpProxy(() => connect(Number(new URL(url).port), '127.0.0.1'));
    after(() => proxy.close());
    const origin = `http://127.0.0.1:${proxy.port}`;
    const context = await openBrowser({ after })();
    const person = await signedIn(app, { tier: 'plus' });
    await takeCookies(context, person, origin);
    const job = await makeJob(app, person.user, {});
    const page = await context.newPage();
    await page.clock.install();
    const errors = hearErrors(page);
    await page.goto(`${origin}/jobs/${job.id}`);
    const says = page.locator('#live');
    await says.getByText(/^Live/).waitFor();

    const isStream = (said: string): boolean => /^GET \/jobs\/[^/ ]+\/events/.test(said);
    assert.equal(proxy.freeze(isStream), 1);
    const node = new Node(app, job);
    await node.run();
    passOn(app.platform.sql, 'job');
    // The browser itself takes the connection for open: as long as nothing is missing, neither does the page.
    await page.clock.runFor(SILENT_MS / 2);
    assert.match((await says.textContent()) ?? '', /^Live/);
    assert.equal(await page.getByText('1 of 1 nodes delivered').count(), 0);

    await page.clock.runFor(SILENT_MS / 2);
    await page.clock.runFor(2000);
    // The steps of an ended job are folded away.
    await page.getByText('1 of 1 nodes delivered').first().waitFor({ state: 'attached' });
    assert.deepEqual(errors, []);
  },
);
