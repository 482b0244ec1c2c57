import { execa } from 'execa';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRow } from '../bench-row.ts';
import { alternate } from './alternate.ts';
import { type Running, startBare, startIperf, startOurs, startSockperf } from './contestants.ts';
import { loopback, openVeth, type Place } from './places.ts';

const rounds = 5;

/** Links against iperf3, a bare sender and sockperf, over loopback and a veth pair, alternating in one run. */
export async function benchNetwork(root: string): Promise<BenchRow[]> {
  const bare = join(root, 'native/build/bench/bare-peer');
  await mkdir(join(root, 'native/build/bench'), { recursive: true });
  const source = join(import.meta.dirname, 'bare-peer.cpp');
  await execa('g++', ['-std=c++17', '-O2', '-Wall', '-Wextra', '-pthread', source, '-o', bare]);
  const rows = await benchPlace(loopback, bare);
  const veth = await openVeth();
  if ('reason' in veth) return [...rows, skipped('link over veth', 0.97, veth.reason)];
  try {
    return [...rows, ...(await benchPlace(veth, bare))];
  } finally {
    await veth.close();
  }
}

async function benchPlace(place: Place, bare: string): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const streams of [1, 4]) rows.push(await benchRate(place, streams, bare));
  return [...rows, await benchRoundTrip(place)];
}

async function benchRate(place: Place, streams: number, bare: string): Promise<BenchRow> {
  const all = [
    await startOurs(place, streams),
    await startBare(place, streams, bare),
    await startIperf(place, streams),
  ];
  const contestants = all.filter((one): one is Running => one !== null);
  const figures = await alternate(contestants, rounds);
  await Promise.all(contestants.map(async (one) => one.close()));
  const ours = figures.get('ours gbps') ?? 0;
  const peers = ['bare', 'iperf3'].map((name) => ({ name, gbps: figures.get(`${name} gbps`) ?? 0 }));
  const best = Math.max(...peers.map((one) => one.gbps));
  const said = peers.map((one) => (one.gbps > 0 ? `${one.name} ${one.gbps.toFixed(1)}` : `${one.name} not installed`));
  return {
    name: `link ${place.name} ${streams} stream${streams > 1 ? 's' : ''}`,
    ours,
    peer: best,
    unit: 'Gb/s',
    ratio: ours / best,
    target: { atLeast: 0.97 },
    note: `best of ${said.join(', ')}; medians of ${rounds}`,
  };
}

async function benchRoundTrip(place: Place): Promise<BenchRow> {
  const name = `link ${place.name} p50`;
  const sockperf = await startSockperf(place);
  if (sockperf === null) return skipped(name, 1.1, 'sockperf is not installed');
  const ours = await startOurs(place, 1);
  const figures = await alternate([ours, sockperf], rounds);
  await Promise.all([ours.close(), sockperf.close()]);
  const [own, peer] = [figures.get('ours rtt_us') ?? 0, figures.get('sockperf rtt_us') ?? 0];
  const note = `sockperf, blocking, full round trips of 64 bytes; medians of ${rounds}`;
  return { name, ours: own, peer, unit: 'us', ratio: own / peer, target: { atMost: 1.1 }, note };
}

const skipped = (name: string, target: number, note: string): BenchRow => ({
  name,
  ours: 0,
  peer: 0,
  unit: '',
  ratio: 0,
  target: { atLeast: target },
  note,
  skipped: true,
});
