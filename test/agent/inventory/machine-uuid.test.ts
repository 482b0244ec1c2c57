import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineIdentity } from '../../../agent/inventory/machine-uuid.ts';
import { uuidV5 } from '../../../agent/inventory/uuid-v5.ts';
import { fileTree } from '../support/file-tree.ts';

const never = (): string => assert.fail('the stored id is not asked for');
const product = '4c4c4544-0038-4a10-8051-b7c04f4d3233';

test('version 5 UUIDs are those of the RFC', () => {
  // RFC 9562, appendix A.4: DNS namespace, name www.example.com.
  assert.equal(
    uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com'),
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  );
});

test('the same hardware ids give the same machine_uuid, another machine another', (t) => {
  const one = fileTree(t, { 'sys/class/dmi/id/product_uuid': product, 'etc/machine-id': 'a'.repeat(32) });
  const again = fileTree(t, {
    'sys/class/dmi/id/product_uuid': product.toUpperCase(),
    'etc/machine-id': 'b'.repeat(32),
  });
  const other = fileTree(t, { 'sys/class/dmi/id/product_uuid': product.replace('3233', '3234') });
  const [first, second, third] = [one, again, other].map((files) => machineIdentity(files, null, never).machine_uuid);
  assert.equal(first, second);
  assert.notEqual(first, third);
  assert.match(first ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids are used in the order product uuid, board serial, machine-id, network card, stored', (t) => {
  const all: Record<string, string> = {
    'sys/class/dmi/id/product_uuid': product,
    'sys/class/dmi/id/board_serial': 'SN-1',
    'etc/machine-id': 'c'.repeat(32),
    'sys/class/net/eth0/address': '02:00:00:00:00:01',
    'sys/class/net/eth0/device/vendor': '0x8086',
  };
  const sources: string[] = [];
  for (;;) {
    sources.push(machineIdentity(fileTree(t, all), null, () => 'kept').source);
    const next = Object.keys(all)[0];
    if (next === undefined) break;
    delete all[next];
  }
  assert.deepEqual(sources, ['product_uuid', 'board_serial', 'machine_id', 'network_address', 'stored', 'stored']);
});

test('vendors’ placeholder ids identify nothing', (t) => {
  const files = fileTree(t, {
    'sys/class/dmi/id/product_uuid': '03000200-0400-0500-0006-000700080009',
    'sys/class/dmi/id/board_serial': 'To be filled by O.E.M.',
    'sys/class/net/docker0/address': '02:42:00:00:00:01',
  });
  assert.equal(machineIdentity(files, null, () => 'kept').source, 'stored');
  for (const uuid of ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF']) {
    assert.equal(
      machineIdentity(fileTree(t, { 'sys/class/dmi/id/product_uuid': uuid }), null, () => 'kept').source,
      'stored',
    );
  }
});

test('an override that is a UUID is used unchanged, other text is hashed to one', (t) => {
  const files = fileTree(t, {});
  assert.equal(machineIdentity(files, product.toUpperCase(), never).machine_uuid, product);
  const [a, b] = ['node-a', 'node-b'].map((id) => machineIdentity(files, id, never).machine_uuid);
  assert.match(a ?? '', /-5[0-9a-f]{3}-/);
  assert.notEqual(a, b);
  assert.equal(machineIdentity(files, 'node-a', never).machine_uuid, a);
});
