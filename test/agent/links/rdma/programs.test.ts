import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { isListening } from '../../../../agent/links/rdma/run-server.ts';
import { isPrivateIpv4, ownAddressTowards } from '../../../../agent/links/rdma/measure-slot.ts';
import { pairRails, type RailName } from '../../../../agent/links/rdma/choose-rails.ts';
import { bandwidthArgs, latencyArgs } from '../../../../agent/links/rdma/perftest-command.ts';
import { readFeatures } from '../../../../agent/links/rdma/perftest-features.ts';
import { readFigure } from '../../../../agent/links/rdma/read-figure.ts';
import { startProgram } from '../../../../agent/links/rdma/run-program.ts';
import { until } from '../../../support/until.ts';
import { isAlive, readRecorded } from './support/fake-tools.ts';
import { setupOf } from './support/two-ends.ts';

const debian = setupOf({ write_bw: 'ib_write_bw', write_lat: 'ib_write_lat' }, ['mlx5_0']);
const rail = { device: 'mlx5_0', port: 1, link_layer: 'Ethernet', rate_gbps: 100, gid_index: 3, numa_node: 0 } as const;
const server = { rail, tcp_port: 20_001, server_address: null, own_address: '10.0.0.1', gpu: null, json_path: null };

test("features are those of the program's own help text", () => {
  assert.deepEqual(debian.features, {
    version: '6.06',
    json_file: true,
    bind_option: '--source_ip',
    cuda: false,
    cuda_bus_id: false,
    cuda_dmabuf: false,
    rocm: false,
    rocm_dmabuf: false,
  });
  const newer = readFeatures(readRecorded('ib_write_bw-6.24-cuda-help.txt'), 'Version: 6.24\n');
  assert.ok(typeof newer !== 'string');
  assert.deepEqual(
    [newer.bind_option, newer.cuda, newer.cuda_bus_id, newer.cuda_dmabuf, newer.rocm],
    ['--bind_source_ip', true, true, true, false],
  );
  assert.equal(
    readFeatures('Usage: true', 'true (GNU coreutils) 9.1'),
    'ib_write_bw does not report its version: it is not perftest',
  );
  const old = readFeatures('  --port=<port>\n', 'Version: 1.0\n');
  assert.ok(typeof old === 'string' && old.startsWith('ib_write_bw 1.0 has no --ib-dev, '));
});

test('arguments are one second without margins, GID and address of RoCE, memory of a GPU for bandwidth only', () => {
  assert.equal(
    bandwidthArgs(server, debian.features, false).join(' '),
    '-D 1 -f 0 -s 1048576 -Q 1 --report_gbits -F -d mlx5_0 -i 1 -p 20001 -x 3 --source_ip 10.0.0.1',
  );
  const gpu = { args: ['--use_cuda_bus_id=0000:17:00.0'], env: {} };
  const client = {
    ...server,
    rail: { ...rail, link_layer: 'InfiniBand' as const, gid_index: 0 },
    server_address: '10.0.0.2',
    gpu,
  };
  assert.equal(
    bandwidthArgs(client, debian.features, true).join(' '),
    '-n 64 -s 1048576 -Q 1 --report_gbits --use_cuda_bus_id=0000:17:00.0 -F -d mlx5_0 -i 1 -p 20001 10.0.0.2',
  );
  assert.equal(latencyArgs(client, debian.features).join(' '), '-n 1000 -F -d mlx5_0 -i 1 -p 20001 10.0.0.2');
});

const hasPerftest = existsSync('/usr/bin/ib_write_bw') && !existsSync('/sys/class/infiniband');
test(
  'the real perftest of this machine takes every one of our options and stops if it finds no device',
  { skip: hasPerftest ? false : 'needs Debian’s perftest and a machine without RDMA devices' },
  async () => {
    const client = { ...server, server_address: '127.0.0.1', json_path: '/nonexistent/report.json' };
    const asked = [
      ['ib_write_bw', bandwidthArgs(server, debian.features, false)],
      ['ib_write_bw', bandwidthArgs(client, debian.features, true)],
      ['ib_write_lat', latencyArgs(server, debian.features)],
      ['ib_write_lat', latencyArgs(client, debian.features)],
    ] as const;
    for (const [path, args] of asked) {
      const end = await startProgram({ path, args, limit_seconds: 5 }).ended;
      assert.equal(end.stderr.trim(), readRecorded('ib_write_bw-6.06-no-device.stderr.txt').trim(), args.join(' '));
      assert.deepEqual(readFigure('forward', end, null), {
        kind: 'none',
        status: 'transport_error',
        why: 'Did not detect devices',
      });
    }
  },
);

test('the real program’s error about a missing option is the reported reason', () => {
  const end = { exit_code: 1, stdout: '', stderr: readRecorded('ib_write_bw-6.06-no-cuda.stderr.txt'), stopped: false };
  assert.deepEqual(readFigure('forward', end, null), {
    kind: 'none',
    status: 'transport_error',
    why: "ib_write_bw: unrecognized option '--use_cuda=0'",
  });
});

test('stopping a program ends all its descendants', async () => {
  const program = startProgram({
    path: 'sh',
    args: ['-c', 'sleep 60 & echo $! >&2; trap "" TERM; wait; sleep 60'],
    limit_seconds: 60,
  });
  const end = await program.stop();
  assert.deepEqual([end.stopped, end.stdout], [true, '']);
  assert.equal(isAlive(program.pid ?? 0), false);
  const child = Number(end.stderr.trim() || '0');
  // A killed process keeps its number until the system has reaped it.
  if (child > 0) await until('the end of its child', () => !isAlive(child));
});

test('the limit is external: an abandoned program ends by itself', async () => {
  const end = await startProgram({ path: 'sleep', args: ['60'], limit_seconds: 0.5 }).ended;
  assert.equal(end.stopped, true);
});

test('a program speaks English', async () => {
  const end = await startProgram({ path: 'env', args: [], limit_seconds: 5 }).ended;
  assert.ok(end.stdout.includes('LC_ALL=C'));
});

test('a port counts as listened on only if the program itself, or its child, does', async (t) => {
  const listener = createServer().listen(0, '127.0.0.1');
  t.after(() => listener.close());
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  assert.equal(isListening(process.pid, port), true);
  assert.equal(isListening(process.ppid, port), true, 'the parent, by its child');
  const other = startProgram({ path: 'sleep', args: ['60'], limit_seconds: 60 });
  assert.equal(isListening(other.pid ?? 0, port), false);
  await other.stop();
});

test('rails are paired by name, by index if the names differ, and never across kinds', () => {
  const named = (...names: string[]): RailName[] =>
    names.map((device) => ({ device, port: 1, link_layer: 'InfiniBand' }));
  assert.deepEqual(pairRails(named('a', 'b', 'd'), named('a', 'b', 'c', 'd')), [
    { dialer: 0, listener: 0 },
    { dialer: 1, listener: 1 },
    { dialer: 2, listener: 3 },
  ]);
  assert.deepEqual(pairRails(named('mlx5_0', 'mlx5_1'), named('ibp12s0', 'ibp18s0')), [
    { dialer: 0, listener: 0 },
    { dialer: 1, listener: 1 },
  ]);
  assert.deepEqual(pairRails(named('a'), [{ device: 'a', port: 1, link_layer: 'Ethernet' }]), []);
});

test('private addresses are those of RFC 1918, 6598 and 3927 and loopback', () => {
  const inside = ['10.0.0.1', '172.16.0.1', '172.31.255.1', '192.168.3.4', '100.64.0.1', '169.254.1.1', '127.0.0.1'];
  assert.deepEqual(
    inside.filter((address) => !isPrivateIpv4(address)),
    [],
  );
  const outside = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '192.169.0.1', 'fd00::1', '10.0.0', ''];
  assert.deepEqual(outside.filter(isPrivateIpv4), []);
});

test('our own address is the source address towards the other end', async () => {
  assert.equal(await ownAddressTowards('127.0.0.5', 9), '127.0.0.1');
  assert.equal(await ownAddressTowards('fd00::1', 9), null);
});
