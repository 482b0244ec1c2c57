import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { passOn } from '../../../coordinator/platform/db/news.ts';
import { testApp } from '../../support/app.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { signedIn } from './browser-session.ts';
import { hearErrors, openBrowser, takeCookies, whyNoChromium } from './open-browser.ts';

/** Longer than the 40 s without a beat after which `live.js` connects again, and the 5 s between its looks. */
const SILENT_MS = 46_000;

/** Passes connections on; `freeze` leaves those that carry a stream open, but nothing comes through any more. */
async function freezingProxy(target: number): Promise<{ port: number; freeze: () => number }> {
  const streams = new Set<() => void>();
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    sockets.add(client).add(server);
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    const answer = (piece: Buffer): void => void client.write(piece);
    client.on('data', (piece) => {
      server.write(piece);
      if (/^GET \/jobs\/[^/ ]+\/events/.test(piece.toString('latin1'))) streams.add(() => server.off('data', answer));
    });
    server.on('data', answer);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  after(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  const freeze = (): number => {
    const count = streams.size;
    for (const end of streams) end();
    streams.clear();
    return count;
  };
  return { port: (proxy.address() as AddressInfo).port, freeze };
}

test(
  'a live page whose connection stays open but brings nothing for 40 s connects again and shows what it missed',
  { skip: whyNoChromium },
  async () => {
    const app = await testApp({ after });
    const { url } = await app.listen();
    const proxy = await freezingProxy(Number(new URL(url).port));
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

    assert.equal(proxy.freeze(), 1);
    const node = new Node(app, job);
    await node.run();
    passOn(app.platform.sql, 'job');
    // The browser itself takes the connection for open: as long as nothing is missing, neither does the page.
    await page.clock.runFor(SILENT_MS / 2);
    assert.match((await says.textContent()) ?? '', /^Live/);
    assert.equal(await page.getByText('1 of 1 nodes delivered').count(), 0);

    await page.clock.runFor(SILENT_MS / 2);
    await page.clock.runFor(2000);
    await page.getByText('1 of 1 nodes delivered').first().waitFor();
    assert.deepEqual(errors, []);
  },
);
