import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { chooseEndpoints } from '../../../agent/links/choose-endpoints.ts';
import type { EndpointChoice, Interfaces } from '../../../agent/links/choose-endpoints.ts';
import type { SystemFiles } from '../../../agent/inventory/system-files.ts';
import { fileTree } from '../support/file-tree.ts';

const any: EndpointChoice = { interfaces: null, allow_public: false };

const v4 = (address: string, prefix = 24) => ({
  address,
  netmask: '255.255.255.0',
  family: 'IPv4' as const,
  mac: '02:00:00:00:00:01',
  internal: address.startsWith('127.'),
  cidr: `${address}/${prefix}`,
});
const v6 = (address: string, prefix = 64) => ({
  address,
  netmask: 'ffff:ffff:ffff:ffff::',
  family: 'IPv6' as const,
  mac: '02:00:00:00:00:01',
  internal: address === '::1',
  cidr: `${address}/${prefix}`,
  scopeid: 0,
});

interface Card {
  speed?: string;
  mtu?: string;
  type?: string;
  state?: string;
  /** hardware below it */
  device?: boolean;
  bridge?: boolean;
  lower?: string[];
}

/** /sys/class/net of these interfaces. */
function files(t: TestContext, cards: Record<string, Card>): SystemFiles {
  const tree: Record<string, string> = {};
  for (const [name, card] of Object.entries(cards)) {
    const folder = `sys/class/net/${name}`;
    const { speed = '-1', mtu = '1500', type = '1', state = 'up' } = card;
    Object.assign(tree, {
      [`${folder}/speed`]: speed,
      [`${folder}/mtu`]: mtu,
      [`${folder}/type`]: type,
      [`${folder}/operstate`]: state,
    });
    if (card.device === true) tree[`${folder}/device/vendor`] = '0x15b3';
    if (card.bridge === true) tree[`${folder}/bridge/bridge_id`] = '8000.020000000001';
    for (const lower of card.lower ?? []) tree[`${folder}/lower_${lower}/ifindex`] = '2';
  }
  return fileTree(t, tree);
}

const chosen = (system: SystemFiles, interfaces: Interfaces, choice = any): string[] =>
  chooseEndpoints(system, interfaces, choice).candidates.map(({ address, interface: name }) => `${name} ${address}`);

test('the fastest interface comes first, with its speed, MTU and prefix; IPv4 before IPv6, link-local last', (t) => {
  const system = files(t, {
    eno1: { device: true, speed: '1000' },
    ens4: { device: true, speed: '100000', mtu: '9000' },
    ens5: { device: true, speed: '200000' },
  });
  const interfaces = {
    lo: [v4('127.0.0.1', 8), v6('::1', 128)],
    eno1: [v4('192.168.1.5'), v6('fe80::1')],
    ens4: [v6('fd00:4::5'), v4('10.4.0.5', 16)],
    ens5: [v4('169.254.7.7', 16)],
  };
  assert.deepEqual(chosen(system, interfaces), [
    'ens4 10.4.0.5',
    'ens4 fd00:4::5',
    'eno1 192.168.1.5',
    'ens5 169.254.7.7',
  ]);
  assert.deepEqual(chooseEndpoints(system, interfaces, any).candidates[0], {
    address: '10.4.0.5',
    interface: 'ens4',
    prefix_length: 16,
    speed_mbps: 100_000,
    mtu: 9000,
    connection_type: 'ethernet',
  });
});

test('hardware is searched up to four layers below an interface', (t) => {
  const system = files(t, {
    eth0: { device: true, speed: '25000' },
    one: { lower: ['eth0'] },
    two: { lower: ['one'] },
    three: { lower: ['two'] },
    four: { lower: ['three'], speed: '25000' },
    five: { lower: ['four'], speed: '25000' },
  });
  assert.deepEqual(chosen(system, { four: [v4('10.4.0.1')], five: [v4('10.5.0.1')] }), ['four 10.4.0.1']);
});

test('container bridges and tunnels are left out if there is hardware, and bonds, VLANs and bridges above it are hardware', (t) => {
  const system = files(t, {
    eth0: { device: true, speed: '25000' },
    bond0: { speed: '50000', lower: ['eth0'] },
    'bond0.7': { speed: '50000', lower: ['bond0'] },
    br0: { bridge: true, lower: ['eth1', 'vnet0'], speed: '10000' },
    eth1: { device: true, speed: '10000' },
    vnet0: { speed: '10' },
    docker0: { bridge: true },
    virbr0: { bridge: true, lower: ['vnet0'] },
    'br-0123456789ab': { bridge: true },
    wg0: { type: '65534', state: 'unknown' },
  });
  const interfaces = {
    'bond0.7': [v4('10.7.0.1')],
    br0: [v4('10.1.0.1')],
    docker0: [v4('172.17.0.1', 16)],
    virbr0: [v4('192.168.122.1')],
    'br-0123456789ab': [v4('172.18.0.1', 16)],
    wg0: [v4('10.99.0.1')],
  };
  assert.deepEqual(chosen(system, interfaces), ['bond0.7 10.7.0.1', 'br0 10.1.0.1']);
  assert.deepEqual(chosen(system, interfaces, { ...any, interfaces: ['docker0', 'wg0'] }), [
    'docker0 172.17.0.1',
    'wg0 10.99.0.1',
  ]);
});

test('inside a container the only interface is virtual: it is used, but not the speed that its driver makes up', (t) => {
  const system = files(t, { eth0: { speed: '10000', mtu: '1450' } });
  const { candidates } = chooseEndpoints(system, { eth0: [v4('10.244.1.7')] }, any);
  assert.deepEqual(
    candidates.map(({ address, speed_mbps, mtu }) => [address, speed_mbps, mtu]),
    [['10.244.1.7', null, 1450]],
  );
});

test('if /sys does not match the network namespace, the address is still used', (t) => {
  const system = files(t, {});
  const { candidates } = chooseEndpoints(system, { veth7: [v4('10.0.0.7')] }, any);
  assert.deepEqual(candidates, [
    {
      address: '10.0.0.7',
      interface: 'veth7',
      prefix_length: 24,
      speed_mbps: null,
      mtu: null,
      connection_type: 'unknown',
    },
  ]);
});

test('a public address is left out with a note, and used on request', (t) => {
  const system = files(t, { eth0: { device: true, speed: '10000' } });
  const interfaces = { eth0: [v4('93.184.216.34'), v6('2606:2800:220:1::1')] };
  const { candidates, notes } = chooseEndpoints(system, interfaces, any);
  assert.deepEqual(candidates, []);
  assert.match(notes.join('\n'), /93\.184\.216\.34 on eth0 is a public address.*--net-public/);
  assert.match(notes.join('\n'), /it only dials/);
  assert.deepEqual(chosen(system, interfaces, { ...any, allow_public: true }), [
    'eth0 93.184.216.34',
    'eth0 2606:2800:220:1::1',
  ]);
});

test('with a public interface and a private tunnel the tunnel is used', (t) => {
  const system = files(t, { eth0: { device: true, speed: '10000' }, wg0: { state: 'unknown' } });
  assert.deepEqual(chosen(system, { eth0: [v4('93.184.216.34')], wg0: [v4('10.99.0.1')] }), ['wg0 10.99.0.1']);
});

test('an interface that is down is left out; an unknown speed is null, not -1', (t) => {
  const system = files(t, {
    eth0: { device: true, state: 'down', speed: '100000' },
    eth1: { device: true, speed: '-1' },
  });
  const { candidates } = chooseEndpoints(system, { eth0: [v4('10.0.0.1')], eth1: [v4('10.0.1.1')] }, any);
  assert.deepEqual(
    candidates.map(({ interface: name, speed_mbps }) => [name, speed_mbps]),
    [['eth1', null]],
  );
});

test('IP over InfiniBand is recognised by its type, and its speed is the port’s rate if it reports none', (t) => {
  const folder = 'sys/class/net/ib0';
  const tree = fileTree(t, {
    [`${folder}/type`]: '32',
    [`${folder}/operstate`]: 'up',
    [`${folder}/mtu`]: '4092',
    [`${folder}/device/infiniband/mlx5_0/ports/1/rate`]: '200 Gb/sec (4X HDR)',
  });
  const { candidates } = chooseEndpoints(tree, { ib0: [v4('10.8.0.1')] }, any);
  assert.deepEqual(
    candidates.map(({ connection_type, speed_mbps, mtu }) => [connection_type, speed_mbps, mtu]),
    [['infiniband', 200_000, 4092]],
  );
});

test('at most 16 addresses are offered', (t) => {
  const system = files(t, { eth0: { device: true, speed: '1000' } });
  const many = Array.from({ length: 40 }, (_, index) => v4(`10.0.0.${index + 1}`));
  assert.equal(chosen(system, { eth0: many }).length, 16);
});
