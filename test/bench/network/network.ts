import { execa } from 'execa';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRow } from '../bench-row.ts';
import { alternate, ratioByRound, type Figures } from './alternate.ts';
import { type Running, startBare, startIperf, startOurs, startSockperf } from './contestants.ts';
import { loopback, onCores, openVeth, type Place } from './places.ts';

/**
 * A single window of 0.6 s is off by 10 % and more if both ends and the wire share two cores: fewer rounds are
 * inconclusive.
 */
const rateRounds = 21;
const roundTripRounds = 11;

/** Links compared with iperf3, a bare sender and sockperf, over loopback and a veth pair, alternating in one run. */
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

/**
 * One stream with each end on its own core: left to the scheduler, the ends share a core in one round and not in the
 * next, with every program, which shifts a window of one stream by 30 %.
 */
async function benchRate(anywhere: Place, streams: number, bare: string): Promise<BenchRow> {
  const place = streams === 1 ? onCores(anywhere, { listener: 1, dialer: 0 }) : anywhere;
  const ours = await startOurs(place, streams);
  const peers = [await startBare(place, streams, bare), await startIperf(place, streams)].filter(
    (one): one is Running => one !== null,
  );
  const figures = await alternate([ours, ...peers], rateRounds);
  await Promise.all([ours, ...peers].map(async (one) => one.close()));
  const of = (name: string): Figures => figures.get(`${name} gbps`) ?? { rounds: [], median: 0, low: 0, high: 0 };
  const best = peers.map(({ name }) => of(name)).toSorted((a, b) => b.median - a.median)[0] ?? of('bare');
  const said = ['ours', 'bare', 'iperf3'].map((name) => `${name} ${middle(figures.get(`${name} gbps`))}`);
  return {
    name: `link ${place.name} ${streams} stream${streams > 1 ? 's' : ''}`,
    ours: of('ours').median,
    peer: best.median,
    unit: 'Gb/s',
    ratio: ratioByRound(of('ours'), best),
    target: { atLeast: 0.97 },
    note: `middle half of ${rateRounds}: ${said.join(', ')}`,
  };
}

const middle = (spread: Figures | undefined): string =>
  spread === undefined ? 'not installed' : `${spread.low.toFixed(1)} to ${spread.high.toFixed(1)}`;

/**
 * Both ends on one core. Left to the scheduler, one program has its ends on one core and the other on two, and the
 * comparison shows how fast a sleeping core wakes up: 17 us compared with 110, or 370, on the same machine.
 */
async function benchRoundTrip(anywhere: Place): Promise<BenchRow> {
  const place = onCores(anywhere, { listener: 0, dialer: 0 });
  const name = `link ${place.name} p50`;
  const sockperf = await startSockperf(place);
  if (sockperf === null) return skipped(name, 1.1, 'sockperf is not installed');
  const ours = await startOurs(place, 1);
  const figures = await alternate([ours, sockperf], roundTripRounds);
  await Promise.all([ours.close(), sockperf.close()]);
  const [own, peer] = ['ours', 'sockperf'].map((one) => figures.get(`${one} rtt_us`)) as [Figures, Figures];
  const note = `sockperf, 64 bytes, both ends on one core; middle half of ${roundTripRounds}: ours ${middle(own)}, sockperf ${middle(peer)}`;
  const ratio = ratioByRound(own, peer);
  return { name, ours: own.median, peer: peer.median, unit: 'us', ratio, target: { atMost: 1.1 }, note };
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
