import assert from 'node:assert/strict';
import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  lookupWhereAllowed,
  RefusedAddressError,
  isPublicAddress,
} from '../../../../coordinator/ingest/reading/public-address.ts';
import { openSource } from '../../../../coordinator/ingest/reading/open-source.ts';

const closed = [
  '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.66.0.1 169.254.169.254 172.16.0.1 172.31.255.255',
  '192.0.0.192 192.168.1.1 198.18.0.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 192.0.2.1 203.0.113.9',
  ':: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::127.0.0.1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1',
  '64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b::a00:1 64:ff9b:1::1 ff02::1 2001::1 2001:db8::1 2002:7f00:1::1',
  '100::1 3fff::1 2606:4700::1%lo not-an-address 1.2.3 0x7f.1',
].flatMap((line) => line.split(' '));
const open =
  '1.1.1.1 8.8.8.8 172.32.0.1 100.128.0.1 169.255.0.1 2606:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::808:808';

test('only addresses of the public Internet are public, however they are written', () => {
  for (const address of closed) assert.equal(isPublicAddress(address), false, address);
  for (const address of open.split(' ')) assert.equal(isPublicAddress(address), true, address);
});

test('a URL that names this machine or a private network in any spelling is not asked for anything', async (t) => {
  let calls = 0;
  const server = createServer((_, response) => void response.end(String((calls += 1)))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const hosts = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '127.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'];
  for (const host of [...hosts, '169.254.169.254', '[fd00:ec2::254]'])
    await assert.rejects(
      openSource(`http://${host}:${port}/key/secret?token=secret2`, { retryMs: 1 }),
      (error: Error) =>
        error.message.endsWith(
          'leads to an address that is not public. If this is intended, add --allow-private-addresses',
        ) && !error.message.includes('secret2'),
    );
  assert.equal(calls, 0);
});

test('a name is looked up once, and the address that was judged is the one that is connected to', async () => {
  const answers = [['93.184.215.14'], ['127.0.0.1'], ['93.184.215.14', '127.0.0.1']];
  let asked = 0;
  const resolve = ((_name: string, _options: object, done: (error: null, found: object[]) => void) => {
    const found = answers[asked] ?? [];
    asked += 1;
    done(
      null,
      found.map((address) => ({ address, family: 4 })),
    );
  }) as unknown as typeof lookup;
  const judged = lookupWhereAllowed(isPublicAddress, resolve);
  const outcome = (all: boolean): Promise<unknown> =>
    new Promise((done) => judged('rebinding.example', { all }, (error, found) => done(error ?? found)));
  assert.deepEqual(await outcome(true), [{ address: '93.184.215.14', family: 4 }]);
  assert.equal(asked, 1);
  assert.ok((await outcome(true)) instanceof RefusedAddressError);
  assert.ok((await outcome(false)) instanceof RefusedAddressError);
});
