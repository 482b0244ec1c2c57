import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposedHost } from '../../../coordinator/contract/address-networks.ts';

const names: Record<string, string[]> = {
  'private.example': ['10.0.0.5', 'fd00::5'],
  'both.example': ['10.0.0.5', '203.0.113.5'],
};
const resolve = async (name: string): Promise<string[]> => names[name] ?? Promise.reject(new Error('unknown name'));

test('plain http is near on loopback, on the own wire and in private networks, and exposed everywhere else', async () => {
  const near = ['127.0.0.1', '127.66.0.1', '[::1]', 'localhost', 'a.localhost', '10.0.0.1:8080', '172.31.0.1'];
  const nearToo = ['192.168.1.1', '100.64.0.1', '169.254.1.1', '[fd00::1]', '[fe80::1]', '[::ffff:10.0.0.1]'];
  for (const host of [...near, ...nearToo, 'private.example'])
    assert.equal(await exposedHost(`http://${host}/`, resolve), null, host);
  for (const host of ['203.0.113.7', '172.32.0.1', '8.8.8.8', '2001:db8::1', 'both.example', 'unknown.example'])
    assert.equal(await exposedHost(`http://${host.includes(':') ? `[${host}]` : host}/`, resolve), host);
  assert.equal(await exposedHost('https://203.0.113.7/', resolve), null);
});
