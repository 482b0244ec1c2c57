import type { Fabric } from './make-fabric.ts';
import { lookUntil } from './look-until.ts';
import { measureRates, silentPairs } from './look.ts';

/** Shapers are accurate to about one per cent; the rest is due to this machine's scheduler. */
const TOLERANCE = 0.05;
/** Flows measured together: each has two threads, and there are two cores. */
const AT_ONCE = 6;

/** Verifies a new fabric: all pairs answer, disjoint pairs get the full rate in parallel, an uplink has its rate. */
export async function expectHealthy(fabric: Fabric): Promise<void> {
  await lookUntil(async () => {
    const silent = await silentPairs(fabric.nodes);
    return silent.length === 0 ? null : `pairs of the new fabric that do not answer: ${JSON.stringify(silent)}`;
  });
  const inRack = fabric.racks.flatMap((rack) => pairsOf(rack));
  const flows = [...inRack, ...inRack.map(([a, b]) => [b, a] as const)];
  for (let first = 0; first < flows.length; first += AT_ONCE) {
    await expectRates(fabric, flows.slice(first, first + AT_ONCE), fabric.rate_mbit);
  }
  const [left = [], right = []] = fabric.racks;
  if (fabric.uplink_mbit === null) return;
  const across = left
    .map((number, index) => [number, right[index] ?? left[0] ?? 0] as const)
    .filter(([a, b]) => a !== b);
  await expectRates(fabric, across.slice(0, 1), Math.min(fabric.rate_mbit, fabric.uplink_mbit));
  const expected = Math.min(fabric.uplink_mbit, across.length * fabric.rate_mbit);
  await lookUntil(async () => {
    const rates = await measureRates(fabric, across);
    const sum = rates.reduce((total, rate) => total + rate, 0);
    return Math.abs(sum / expected - 1) < TOLERANCE ? null : `the uplink carries ${sum}, not ${expected} Mb/s`;
  });
}

/** All of these flows, run in parallel, have this rate on the cable. */
export const expectRates = (
  fabric: Fabric,
  flows: readonly (readonly [from: number, to: number])[],
  mbit: number,
): Promise<void> =>
  lookUntil(async () => {
    const rates = await measureRates(fabric, flows);
    const all = flows.map(([from, to], at) => ({ from, to, mbit: rates[at] ?? 0 }));
    const wrong = all.filter((flow) => Math.abs(flow.mbit / mbit - 1) > TOLERANCE);
    return wrong.length === 0 ? null : `flows that do not have ${mbit} Mb/s: ${JSON.stringify(wrong)}`;
  });

const pairsOf = (numbers: readonly number[]): (readonly [number, number])[] =>
  Array.from(
    { length: Math.floor(numbers.length / 2) },
    (_, at) => [numbers[2 * at] ?? 0, numbers[2 * at + 1] ?? 0] as const,
  );
