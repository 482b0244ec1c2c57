import { join } from 'node:path';
import { readRunnerVersion } from '../../agent/kernels/runner-version.ts';
import type { BenchRow } from './bench-row.ts';
import { median } from '../../coordinator/figures/statistics.ts';
import { type BenchPrograms, buildBenchPrograms } from './native/build.ts';
import { findOpenblas, openblasCoreTypes } from './native/find-openblas.ts';
import { issueLimit, readFmaGreeting } from './native/fma-limit.ts';
import { SliceProcess } from './native/slice-process.ts';

const rounds = 31;
const warmUpRounds = 3;
/** 358 MB per array, over 1 GiB together: the size that the runner uses on a machine with small caches. */
const triadArrayBytes = 358_000_000;

/** Ours compared with peers, alternating slice by slice in separate processes, of which the idle one sleeps. */
export async function benchNative(): Promise<BenchRow[]> {
  const programs = await buildBenchPrograms();
  return [await benchFma(programs), await benchSgemm(programs), await benchTriad(programs)];
}

/**
 * FMA probe compared with what the cores issue: lanes x 2 operations x multiply-adds per cycle of this microarchitecture x the
 * clock measured right after each slice. On a processor that the table does not know, with a compiler's own loop.
 */
async function benchFma(programs: BenchPrograms): Promise<BenchRow> {
  const own = await SliceProcess.start(programs.own, ['fma']);
  const { lanes, cores, perCycle, core } = readFmaGreeting(own.greeting);
  if (perCycle === null) {
    const peer = await SliceProcess.start(programs.fma, [String(lanes)], {
      OMP_NUM_THREADS: String(cores),
      OMP_PROC_BIND: 'true',
      OMP_WAIT_POLICY: 'passive',
    });
    const pairs = await alternate(own, peer);
    await Promise.all([own.close(), peer.close()]);
    const note = `fma-peer -O3 -march=native -fopenmp on ${cores} cores: this processor's rate is not in the table`;
    return row('FMA probe fp32', pairs, 0.97, 'GFLOP/s', note);
  }
  const measured: { ours: number; ghz: number }[] = [];
  for (let round = -warmUpRounds; round < rounds * 10; round += 1) {
    const [ours = 0, ghz = 0] = await own.measure();
    if (round >= 0) measured.push({ ours, ghz });
  }
  await own.close();
  // A clock counted while other work held a core is too low, and the ratio too high: such rounds say nothing.
  const fastest = Math.max(...measured.map(({ ghz }) => ghz));
  const pairs = measured
    .filter(({ ghz }) => ghz >= 0.97 * fastest)
    .map(({ ours, ghz }) => ({ ours, peer: issueLimit({ lanes, cores, perCycle }, ghz) }));
  const note = `${lanes} lanes x ${2 * perCycle} FLOP/cycle (${core}) x measured clock x ${cores} cores`;
  return row('FMA probe fp32', pairs, 0.97, 'GFLOP/s', note);
}

async function benchSgemm(programs: BenchPrograms): Promise<BenchRow> {
  const openblas = await findOpenblas();
  if ('reason' in openblas) return skipped('SGEMM', 0.95, 'GFLOP/s', openblas.reason);
  const own = await SliceProcess.start(programs.own, ['gemm']);
  const [size = '', cores = ''] = own.greeting.split(' ');
  const { isa } = await readRunnerVersion(join(import.meta.dirname, '../../native/build/gpumark-runner'));
  const peers = await Promise.all(
    openblasCoreTypes(isa).map((coreType) =>
      SliceProcess.start(programs.openblas, [openblas.path, size, cores], {
        OPENBLAS_CORETYPE: coreType,
        // 2^4 cycles: its idle workers must not spin on our cores while ours runs.
        OPENBLAS_THREAD_TIMEOUT: '4',
      }),
    ),
  );
  const trials = await Promise.all(peers.map(async () => [] as number[]));
  for (let round = 0; round < 4; round += 1) {
    for (const [index, peer] of peers.entries()) trials[index]?.push((await peer.measure())[0] ?? 0);
  }
  const best = peers.toSorted(
    (a, b) => Math.max(...(trials[peers.indexOf(b)] ?? [0])) - Math.max(...(trials[peers.indexOf(a)] ?? [0])),
  )[0];
  if (best === undefined) throw new Error('no OpenBLAS core type to try');
  const pairs = await alternate(own, best);
  await Promise.all([own, ...peers].map((process) => process.close()));
  return row('SGEMM', pairs, 0.95, 'GFLOP/s', `OpenBLAS ${best.greeting}, n=${size}, ${cores} threads`);
}

async function benchTriad(programs: BenchPrograms): Promise<BenchRow> {
  const own = await SliceProcess.start(programs.own, ['triad', String(triadArrayBytes)]);
  const peer = await SliceProcess.start(programs.stream, [String(triadArrayBytes)], {
    OMP_PROC_BIND: 'true',
    OMP_WAIT_POLICY: 'passive',
  });
  const pairs = await alternate(own, peer);
  await Promise.all([own.close(), peer.close()]);
  return row('triad', pairs, 0.98, 'GB/s', `stream-peer -O3 -march=native -fopenmp; our stores are ${own.greeting}`);
}

interface Pair {
  ours: number;
  peer: number;
}

/** Which one goes first changes every round, so that a slow drift of the machine favours neither. */
async function alternate(own: SliceProcess, peer: SliceProcess): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const first = round % 2 === 0 ? own : peer;
    const [one = 0] = await first.measure();
    const [two = 0] = await (first === own ? peer : own).measure();
    if (round >= 0) pairs.push(first === own ? { ours: one, peer: two } : { ours: two, peer: one });
  }
  return pairs;
}

function row(name: string, pairs: readonly Pair[], atLeast: number, unit: string, note: string): BenchRow {
  return {
    name,
    ours: median(pairs.map((pair) => pair.ours)),
    peer: median(pairs.map((pair) => pair.peer)),
    ratio: median(pairs.map((pair) => pair.ours / pair.peer)),
    unit,
    target: { atLeast },
    note: `${note}; median of ${pairs.length} pairs`,
  };
}

const skipped = (name: string, atLeast: number, unit: string, note: string): BenchRow => ({
  name,
  ours: 0,
  peer: 0,
  ratio: 0,
  unit,
  target: { atLeast },
  note,
  skipped: true,
});
