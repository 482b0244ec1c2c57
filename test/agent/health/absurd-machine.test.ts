import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { signalsOf } from '../../../agent/health/compare-readings.ts';
import { readNode } from '../../../agent/health/read-node.ts';
import { watchNode } from '../../../agent/health/watch-node.ts';
import { SystemFiles } from '../../../agent/inventory/system-files.ts';
import { nodeSignals, type NodeSignal } from '../../../coordinator/contract/health.ts';
import { type Content, folders, healthy, type MachineTree, machineTree, twoCards } from './support/machine-tree.ts';

const clock = { elapsed: () => 0 };

const readTree = async ({ files }: MachineTree): Promise<NodeSignal[]> =>
  nodeSignals.parse(signalsOf(await readNode({ files, devices: twoCards, clock })));

const nameOf = ({ signal, of }: NodeSignal): string => `${signal} ${of ?? ''}`;

/** What a file of a broken driver, or of a machine that lies, may hold. */
const absurd: Record<string, Content> = {
  'no number': 'banana\n',
  'all ones': '18446744073709551615\n',
  'a negative number': '-5\n',
  'a fraction': '1e999\n',
  nothing: '',
  'NUL bytes': '\0\0\0\0\n',
  'bytes that are not UTF-8': Buffer.from([0xff, 0xfe, 0x1b, 0x5b, 0x32, 0x4a, 0x80]),
  'a very long line': `${'9'.repeat(100_000)}\n`,
  'a million lines': '1\n'.repeat(1_000_000),
  'a symbolic link to itself': { link: 'ouroboros' },
};
const fixtures = Object.keys(healthy).filter((path) => typeof healthy[path] === 'string' && path !== 'dev/kmsg');
/** Whose text is a name or a setting, not a number. */
const isFree = (name: string): boolean => /^(kernel_taint|memory_limit|cpu_quota|net_speed|gpu_driver)/.test(name);

for (const [kind, [what, content]] of Object.entries(absurd).entries())
  test(`${what} in any file is not taken for a value: the signal is not read, and the others stay`, async (t) => {
    const tree = machineTree(t, healthy);
    const usual = new Map((await readTree(tree)).map((row) => [nameOf(row), row]));
    let unread = 0;
    // Each reading reads everything: a third of the files with each content.
    for (const path of fixtures.filter((_, place) => place % 3 === kind % 3)) {
      tree.put(
        path,
        typeof content === 'object' && content !== null && 'link' in content
          ? { link: path.split('/').at(-1) ?? '' }
          : content,
      );
      for (const row of await readTree(tree)) {
        const before = usual.get(nameOf(row));
        if (JSON.stringify(row) === JSON.stringify(before)) continue;
        if (row.value === null) {
          unread += 1;
          assert.ok((row.not_read ?? '').length > 0, `${path}: ${JSON.stringify(row)}`);
          assert.doesNotMatch(row.not_read ?? '', /\p{Cc}/u);
        } else if (!isFree(row.signal)) {
          // Another level than before is none that the absurd text says.
          assert.ok(!/banana|^\d{17}|^-|Infinity|NaN/.test(String(row.value)), `${path}: ${JSON.stringify(row)}`);
        }
      }
      tree.put(path, healthy[path] ?? null);
    }
    assert.ok(unread > 12, `${unread} signals were not read`);
  });

test('a file of a gigabyte is not read, and a pipe is not waited for', async (t) => {
  const tree = machineTree(t, healthy);
  const path = `${folders.ib}/counters/symbol_error`;
  const file = openSync(join(tree.root, path), 'r+');
  ftruncateSync(file, 1e9);
  closeSync(file);
  tree.put(`${folders.ib}/state`, null);
  execFileSync('mkfifo', [join(tree.root, `${folders.ib}/state`)]);
  const rows = new Map((await readTree(tree)).map((row) => [nameOf(row), row]));
  assert.equal(rows.get('ib_symbol_error mlx5_0/1')?.not_read, 'longer than 4096 bytes');
  assert.equal(rows.get('ib_port_state mlx5_0/1')?.not_read, 'empty');
});

test('hundreds of ports, interfaces and cards are cut, and it is said', async (t) => {
  const port = (place: number): [string, Content][] => [
    [`sys/class/infiniband/mlx5_${place}/ports/1/state`, '4: ACTIVE\n'],
    [`sys/class/net/eth${place}/device/vendor`, '0x15b3\n'],
    [`sys/class/net/eth${place}/operstate`, 'up\n'],
  ];
  const tree = machineTree(t, Object.fromEntries(Array.from({ length: 300 }, (_, place) => port(place)).flat()));
  const devices = Array.from({ length: 200 }, (_, place) => ({
    device_id: `GPU-${place}`,
    vendor: 'nvidia' as const,
    pci_id: `0000:${(place >> 3).toString(16).padStart(2, '0')}:00.${place & 7}`,
  }));
  const rows = nodeSignals.parse(await (await watchNode({ files: tree.files, devices, clock })).end());
  assert.ok(rows.length <= 2000, `${rows.length} rows`);
  const said = rows.flatMap(({ not_read }) => (/left out/.test(not_read ?? '') ? [not_read] : []));
  assert.deepEqual(said, [
    '4 further devices are left out, after 96',
    '252 further ports are left out, after 48',
    '268 further interfaces are left out, after 32',
  ]);
  const ports = rows.filter(({ signal, value }) => signal === 'ib_port_state' && value === 'ACTIVE');
  // In the order of their numbers: mlx5_9 before mlx5_10.
  assert.deepEqual([ports.length, ports.at(-1)?.of], [48, 'mlx5_47/1']);
});

test('a machine whose files take too long is read for two seconds, and what is missing says so', async (t) => {
  const { files } = machineTree(t, healthy);
  let elapsed = 0;
  const slow = { elapsed: () => (elapsed += 10) };
  const rows = nodeSignals.parse(signalsOf(await readNode({ files, devices: twoCards, clock: slow })));
  const late = rows.filter(({ not_read }) => /not read within 2 s/.test(not_read ?? ''));
  assert.ok(late.length > 10 && rows.some(({ value }) => value === 0), JSON.stringify(rows));
});

test('what a slow second reading does not reach is not taken for gone', async (t) => {
  const { files } = machineTree(t, healthy);
  let step = 0;
  let elapsed = 0;
  const watch = await watchNode({ files, devices: twoCards, clock: { elapsed: () => (elapsed += step) } });
  step = 100;
  const rows = await watch.end();
  assert.ok(!rows.some(({ not_read }) => /gone/.test(not_read ?? '')), JSON.stringify(rows));
  assert.match(rows.find(({ signal }) => signal === 'ib_port_state')?.not_read ?? '', /not read within 2 s/);
});

test('virtual functions and virtual interfaces are not told beside the hardware below them', async (t) => {
  const tree = machineTree(t, {
    ...healthy,
    'sys/class/infiniband/mlx5_7/ports/1/state': '1: DOWN\n',
    'sys/class/infiniband/mlx5_7/device/physfn/infiniband/mlx5_0/node_type': '1: CA\n',
    'sys/class/net/eth1/device/vendor': '0x15b3\n',
    'sys/class/net/eth1/operstate': 'down\n',
  });
  const names = new Set((await readTree(tree)).flatMap(({ of }) => of ?? []));
  assert.deepEqual(
    ['mlx5_7/1', 'docker0', 'eth1'].filter((name) => names.has(name)),
    [],
  );
});

test('bridges whose configuration only root may read, or whose list runs in a circle, are not called redirecting', async (t) => {
  const of = async (t: TestContext, config: Content) =>
    (await readTree(machineTree(t, { ...healthy, [`${folders.downstream}/config`]: config }))).find(
      (row) => nameOf(row) === 'acs_redirect 0000:17:00.0',
    );
  assert.match((await of(t, Buffer.alloc(64)))?.not_read ?? '', /only root/);
  const circle = Buffer.alloc(4096);
  circle.writeUInt32LE((0x100 << 20) | 0x1_0001, 0x100);
  assert.equal((await of(t, circle))?.value, false);
  assert.match((await of(t, Buffer.alloc(4096, 0xff)))?.not_read ?? '', /does not answer/);
});

test('a container that cannot see the processes of its host does not call the fabric manager dead', async (t) => {
  const rows = await readTree(
    machineTree(t, { ...healthy, 'proc/4711/comm': null, 'proc/self/ns/pid': { link: 'pid:[4026532801]' } }),
  );
  assert.match(
    rows.find(({ signal }) => signal === 'nvidia_fabricmanager')?.not_read ?? '',
    /cannot see the processes/,
  );
});

test('a frequency driver that chooses by itself is not called saving', async (t) => {
  const policy = 'sys/devices/system/cpu/cpufreq/policy0';
  const tree = machineTree(t, {
    ...healthy,
    [`${policy}/scaling_governor`]: 'powersave\n',
    [`${policy}/scaling_driver`]: 'intel_pstate\n',
    'sys/devices/system/cpu/cpufreq/policy1/scaling_governor': null,
  });
  assert.equal(
    (await readTree(tree)).find(({ signal }) => signal === 'cpu_governor')?.value,
    'powersave of intel_pstate',
  );
});

test('a driver of the kernel itself has the version of the kernel', async (t) => {
  const { files } = machineTree(t, {
    'sys/module/amdgpu/parameters/noretry': '-1\n',
    'proc/sys/kernel/osrelease': '6.8.0-45-generic\n',
  });
  const card = { vendor: 'amd', pci_id: null } as const;
  const rows = signalsOf(await readNode({ files, devices: [card], clock }));
  assert.equal(rows.find(({ signal }) => signal === 'gpu_driver_version')?.value, 'of the kernel 6.8.0-45-generic');
});

test('files are read up to their limit and no further', (t) => {
  const { files } = machineTree(t, {
    'proc/short': 'a b\n',
    'proc/long': 'x'.repeat(5000),
    'proc/self': { link: 'self' },
  });
  assert.deepEqual(files.read('proc/short'), { value: 'a b', reason: null });
  assert.deepEqual(files.read('proc/long'), { value: null, reason: 'longer than 4096 bytes' });
  assert.equal(files.text('proc/long')?.length, 5000);
  assert.match(files.read('proc/self').reason ?? '', /circle/);
  assert.deepEqual([files.text('proc/self'), files.text('proc'), files.names('proc/self')], [null, null, []]);
  assert.equal(new SystemFiles('/').content('dev/zero', 100).value?.whole, false);
  assert.equal(files.until(() => 'over').read('proc/short').reason, 'over');
});
