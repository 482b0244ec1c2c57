import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineIdentity } from '../../../agent/inventory/machine-uuid.ts';
import { isPlaceholderSerial, isPlaceholderUuid } from '../../../agent/inventory/placeholder.ts';
import { uuidV5 } from '../../../agent/inventory/uuid-v5.ts';
import { fileTree } from '../support/file-tree.ts';

const never = (): string => assert.fail('the stored id is not asked for');
const machineId = '0b7c1f6c5d2e4a0f9c3b8a7d6e5f4c3b';
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
    'etc/machine-id': machineId,
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

const dmi = (name: string, value: string): Record<string, string> => ({ [`sys/class/dmi/id/${name}`]: value });
const net = (address: string): Record<string, string> => ({
  'sys/class/net/eth0/address': address,
  'sys/class/net/eth0/device/vendor': '0x8086',
});

test('a machine whose ids are plausible keeps the machine_uuid that it has always had', (t) => {
  const golden: [string, Record<string, string>, string][] = [
    ['Dell', dmi('product_uuid', '4c4c4544-0038-4a10-8051-b7c04f4d3233'), 'ab9da1d3-3e8f-5977-9f9a-2177f1be3d43'],
    // Zeros and a network address.
    ['Supermicro', dmi('product_uuid', '00000000-0000-0000-0000-0CC47A123456'), 'f24e3166-0798-5540-973a-16ee992a2a66'],
    ['a cloud', dmi('product_uuid', 'ec2d5e5e-7f1c-4b3f-9a46-0b1c5f0e9d77'), '9ae8ffb9-f528-52e1-85b6-d48217930292'],
    // Letters and digits of product and serial numbers.
    ['HPE', dmi('product_uuid', '30373237-3132-584D-5135-323430374B57'), 'aa509d87-caf2-53aa-9c8b-4d52029739ee'],
    [
      'a serial with dots',
      { ...dmi('board_serial', '.7KQX2N3.CNIVC0098A00FL.'), ...dmi('board_vendor', 'Dell Inc.') },
      '8ded5c9a-a19a-51e7-8822-962bd291df3c',
    ],
    [
      'a serial of digits',
      { ...dmi('board_serial', '210818123456789'), ...dmi('board_vendor', 'ASUSTeK COMPUTER INC.') },
      '711c91e9-d801-5dd8-948c-a576970c57c3',
    ],
    [
      'a serial beside a UUID that is not present',
      {
        ...dmi('product_uuid', '00000000-0000-0000-0000-000000000000'),
        ...dmi('board_serial', 'WM21S600123'),
        'etc/machine-id': machineId,
      },
      'b874b9e2-fc96-5923-bd15-10ec39f00552',
    ],
    ['a machine-id', { 'etc/machine-id': machineId }, '09581b9a-d997-5ea8-81f8-907ca007ad12'],
    [
      'fillers and a machine-id',
      {
        ...dmi('product_uuid', '03000200-0400-0500-0006-000700080009'),
        ...dmi('board_serial', 'Default string'),
        'etc/machine-id': machineId,
      },
      '09581b9a-d997-5ea8-81f8-907ca007ad12',
    ],
    ['a network card', net('3c:ec:ef:12:34:56'), '16c52faf-bf98-5f85-97d2-aa2667d444ba'],
    ['a virtual network card', net('52:54:00:a1:b2:c3'), '3ea5f9b5-1398-539a-b03b-a80d333a7958'],
  ];
  for (const [name, tree, machine_uuid] of golden)
    assert.equal(machineIdentity(fileTree(t, tree), null, never).machine_uuid, machine_uuid, name);
});

/** UUIDs that many boards share, from vendors' templates, inventory tools' lists of them, and test benches. */
const placeholderUuids = [
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '11111111-1111-1111-1111-111111111111',
  'fefefefe-fefe-fefe-fefe-fefefefefefe',
  '00000000-0000-0000-0000-000000000001',
  '03000200-0400-0500-0006-000700080009',
  '00020003-0004-0005-0006-000700080009',
  '03020100-0504-0706-0809-0a0b0c0d0e0f',
  '00010203-0405-0607-0809-0A0B0C0D0E0F',
  '00112233-4455-6677-8899-AABBCCDDEEFF',
  '11111111-2222-3333-4444-555555555555',
  '12345678-1234-5678-90AB-CDDEEFAABBCC',
  '12345678-1234-1234-1234-123456789ABC',
  '01234567-89ab-cdef-0123-456789abcdef',
  '4C4C4544-0000-2010-8020-80C04F202020',
];
const placeholderSerials = [
  '.',
  '...',
  '0',
  '00000000',
  'xxxxxxxxxx',
  '----',
  '123456789',
  '1234567890',
  '0123456789',
  '9876543210',
  'ABCDEFGH',
  'BSN12345678901234567',
  'MB-1234567890',
  'None',
  'N/A',
  'Not Applicable',
  'Not Specified',
  'Not Available',
  'Default string',
  'To be filled by O.E.M.',
  'To Be Filled By O.E.M. by More String',
  'System Serial Number',
  'Base Board Serial Number',
  'Type2 - Board Serial Number',
  'INVALID',
  'Unknown',
  'Empty',
  'OEM',
];

test('machines that share placeholders in their UUID and serial differ by their machine-ids, and by their network cards', (t) => {
  for (const [index, uuid] of placeholderUuids.entries()) {
    const shared = {
      ...dmi('product_uuid', uuid),
      ...dmi('board_serial', placeholderSerials[index % placeholderSerials.length] ?? ''),
      ...dmi('board_vendor', 'Vendor'),
    };
    const of = (own: Record<string, string>): string =>
      machineIdentity(fileTree(t, { ...shared, ...own }), null, never).machine_uuid;
    assert.notEqual(of({ 'etc/machine-id': machineId }), of({ 'etc/machine-id': machineId.replace('0b', '0c') }), uuid);
    assert.notEqual(of(net('3c:ec:ef:12:34:56')), of(net('3c:ec:ef:12:34:57')), uuid);
  }
  for (const serial of placeholderSerials)
    assert.equal(
      machineIdentity(fileTree(t, dmi('board_serial', serial)), null, () => 'kept').source,
      'stored',
      serial,
    );
});

test('beside a sample UUID the serial identifies only together with the machine-id, else the network card', (t) => {
  const of = (uuid: string, own: Record<string, string>): string =>
    machineIdentity(
      fileTree(t, { ...dmi('product_uuid', uuid), ...dmi('board_serial', 'R7000-A'), ...own }),
      null,
      never,
    ).machine_uuid;
  const sample = '03020100-0504-0706-0809-0a0b0c0d0e0f';
  const [one, other] = [machineId, machineId.replace('0b', '0c')].map((id) => ({ 'etc/machine-id': id }));
  assert.notEqual(of(sample, one ?? {}), of(sample, other ?? {}));
  assert.equal(of(sample, one ?? {}), of(sample, { ...one, ...net('3c:ec:ef:12:34:56') }));
  assert.notEqual(of(sample, net('3c:ec:ef:12:34:56')), of(sample, net('3c:ec:ef:12:34:57')));
  // A UUID that is not present says nothing about the serial.
  const absent = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  assert.equal(of(absent, one ?? {}), of(absent, other ?? {}));
});

test('placeholders in a machine-id and in a network card’s address identify nothing either', (t) => {
  for (const tree of [
    { 'etc/machine-id': '0'.repeat(32) },
    { 'etc/machine-id': 'uninitialized' },
    { 'etc/machine-id': '000102030405060708090a0b0c0d0e0f' },
    ...['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff', '00:11:22:33:44:55', '12:34:56:78:9a:bc', '00:01:02:03:04:05'].map(
      net,
    ),
    { 'sys/class/net/docker0/address': '02:42:00:00:00:01' },
  ])
    assert.equal(machineIdentity(fileTree(t, tree), null, () => 'kept').source, 'stored', JSON.stringify(tree));
});

test('serials and 20,000 hashed UUIDs are not taken for placeholders', () => {
  for (let count = 0; count < 20_000; count += 1)
    assert.equal(isPlaceholderUuid(uuidV5(product, String(count))), false);
  for (const serial of ['SN-1', '/7KQX2N3/CNIVC0098A00FL/', 'WM21S600123', '210818123456789', 'PF1234AB', '2109-0042'])
    assert.equal(isPlaceholderSerial(serial), false, serial);
});

test('an override that is a UUID is used unchanged, other text is hashed to one', (t) => {
  const files = fileTree(t, {});
  assert.equal(machineIdentity(files, product.toUpperCase(), never).machine_uuid, product);
  const [a, b] = ['node-a', 'node-b'].map((id) => machineIdentity(files, id, never).machine_uuid);
  assert.match(a ?? '', /-5[0-9a-f]{3}-/);
  assert.notEqual(a, b);
  assert.equal(machineIdentity(files, 'node-a', never).machine_uuid, a);
});
