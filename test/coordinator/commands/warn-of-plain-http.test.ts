import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warnOfPlainHttp } from '../../../coordinator/commands/warn-of-plain-http.ts';
import { run } from '../../support/run-program.ts';

async function warnings(host: string, publicUrl: string | null): Promise<string[]> {
  const said: string[] = [];
  await warnOfPlainHttp(
    { host, publicUrl },
    { warn: (_fields: object, message?: string) => void said.push(message ?? '') },
  );
  return said;
}

test('the coordinator warns of a public address without TLS, stated or listened on, and of no other', async () => {
  for (const [host, publicUrl] of [
    ['127.0.0.1', null],
    ['localhost', null],
    ['10.0.0.5', null],
    ['0.0.0.0', 'https://gpumark.example'],
    ['0.0.0.0', 'http://10.0.0.5:8080'],
  ] as const)
    assert.deepEqual(await warnings(host, publicUrl), [], `${host} ${publicUrl}`);
  assert.match((await warnings('127.0.0.1', 'http://203.0.113.7'))[0] ?? '', /PUBLIC_URL is plain http/);
  for (const host of ['0.0.0.0', '::', '203.0.113.7'])
    assert.match((await warnings(host, null))[0] ?? '', /HOST takes plain http/, host);
});

test('no command starts if NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification', async () => {
  const { code, stderr } = await run(['migrate'], { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  assert.equal(code, 2);
  assert.match(stderr, /^NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification.*NODE_EXTRA_CA_CERTS/);
});
