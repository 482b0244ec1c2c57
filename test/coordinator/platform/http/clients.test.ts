import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addressKey } from '../../../../coordinator/platform/address-blocks.ts';
import { clientReader } from '../../../../coordinator/platform/http/clients.ts';
import { createMetrics } from '../../../../coordinator/platform/http/observe.ts';
import { testApp } from '../../../support/app.ts';

const opened = await testApp({ after }, { now: new Date('2026-11-28T12:00:00Z') });
const PROXY = '10.0.0.9';

function behind(trustedProxies: number) {
  const metrics = createMetrics({ processMetrics: false });
  const config = { ...opened.platform.config, trustedProxies };
  const read = clientReader({ ...opened.platform, config }, metrics);
  const of = (forwarded: string | undefined) =>
    read(PROXY, (name) => (name === 'x-forwarded-for' ? forwarded : undefined)).address;
  return { of, counted: async () => Number(/^http_forwarded_for_unusable (\d+)$/m.exec(await metrics.text())?.[1]) };
}

test('the caller is the address in X-Forwarded-For, with or without the port that some proxies add', () => {
  const { of } = behind(1);
  assert.equal(of('198.51.100.2'), '198.51.100.2');
  // Azure's Application Gateway
  assert.equal(of('198.51.100.2:1001'), '198.51.100.2');
  assert.equal(of('[2001:db8::1]:1001'), '2001:db8::1');
  assert.equal(of('[2001:db8::1]'), '2001:db8::1');
  assert.equal(of('2001:db8::1'), '2001:db8::1');
  assert.equal(of('::ffff:198.51.100.2'), '198.51.100.2');
  assert.equal(of('made up, 198.51.100.3:7 '), '198.51.100.3');
  assert.equal(behind(2).of('198.51.100.2:1, 10.0.0.8:2'), '198.51.100.2');
  assert.equal(of(undefined), PROXY);
});

test('callers with ports count by their addresses', () => {
  const { of } = behind(1);
  const keys = [
    '198.51.100.2:1001',
    '198.51.100.2:1002',
    '198.51.100.3:1001',
    '[2001:db8::1]:1001',
    '[2001:db8:1::1]:9',
  ];
  assert.deepEqual(
    keys.map((entry) => addressKey(of(entry))),
    ['198.51.100.2', '198.51.100.2', '198.51.100.3', '2001:db8:0:0::/64', '2001:db8:1:0::/64'],
  );
});

test('an entry that is not an address counts as the proxy’s, is counted, and is logged once an hour without its content', async () => {
  const { of, counted } = behind(1);
  const garbage = [
    'unknown',
    '_hidden',
    '',
    '198.51.100.2:',
    '198.51.100.256',
    '[2001:db8::1',
    '2001:db8::1]:1',
    'x[::1]',
    '1.2.3.4.5',
  ];
  const lines = () => opened.logLines().filter(({ msg }) => String(msg).includes('where TRUSTED_PROXIES=1 expects'));
  for (const entry of garbage) assert.equal(of(entry), PROXY, entry);
  assert.equal(await counted(), garbage.length);
  assert.equal(lines().length, 1);
  opened.clock.advance({ minutes: 61 });
  of('unknown');
  assert.equal(lines().length, 2);
  assert.equal(lines()[1]?.['requests'], garbage.length + 1);
  assert.ok(!JSON.stringify(lines()).includes('unknown'));
});

test('fewer entries than trusted proxies are doubtful too', async () => {
  const { of, counted } = behind(2);
  assert.equal(of('198.51.100.2'), PROXY);
  assert.equal(await counted(), 1);
});
