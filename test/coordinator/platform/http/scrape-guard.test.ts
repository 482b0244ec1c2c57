import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { testApp } from '../../../support/app.ts';

/** Straight to the listener, with the headers as given: fetch would not send another Host. */
const scrape = (port: number, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/metrics', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    call.once('error', reject).end();
  });

test('without METRICS_TOKEN the machine itself reads /metrics, and nobody through a proxy on it', async (t) => {
  const { port } = await (await testApp(t)).listen();
  assert.equal((await scrape(port)).status, 200);
  assert.equal((await scrape(port, { host: `localhost:${port}` })).status, 200);
  const strangers = [
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'gpumark.example' },
    { host: '127.evil.example' },
    { authorization: 'Bearer 1234567890123456', 'x-forwarded-for': '::1' },
  ] as Record<string, string>[];
  for (const headers of strangers) {
    const { status, text } = await scrape(port, headers);
    assert.equal(status, 404, JSON.stringify(headers));
    assert.doesNotMatch(text, /http_request/);
  }
});

test('behind a trusted proxy /metrics is closed until METRICS_TOKEN is set', async (t) => {
  const { port } = await (await testApp(t, { environment: { TRUSTED_PROXIES: '1' } })).listen();
  assert.equal((await scrape(port)).status, 404);
});

test('with METRICS_TOKEN its holder reads /metrics, and the machine itself does not without', async (t) => {
  const METRICS_TOKEN = 'a token of 24 characters'.replaceAll(' ', '-');
  const { port } = await (await testApp(t, { environment: { METRICS_TOKEN, TRUSTED_PROXIES: '1' } })).listen();
  const known = await scrape(port, { authorization: `Bearer ${METRICS_TOKEN}`, 'x-forwarded-for': '203.0.113.9' });
  assert.equal(known.status, 200);
  for (const authorization of [
    '',
    `Bearer ${METRICS_TOKEN}x`,
    `Basic ${METRICS_TOKEN}`,
    'Bearer',
    `Bearer ${METRICS_TOKEN.slice(1)}`,
  ])
    assert.equal((await scrape(port, { authorization })).status, 401, authorization);
});
