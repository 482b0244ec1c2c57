import type { Fabric } from './make-fabric.ts';
import { lookUntil } from './look-until.ts';
import { measureRates, silentPairs } from './look.ts';

/** Shapers are exact to a per cent or so; the rest is this machine's scheduler. */
const TOLERANCE = 0.05;
/** Flows looked at together: two threads each, and two cores. */
const AT_ONCE = 6;

/** Proves a new fabric: all pairs answer, disjoint pairs at once have the rate, and an uplink is as thin as it should be. */
export async function expectHealthy(fabric: Fabric): Promise<void> {
  await lookUntil(async () => {
    const silent = await silentPairs(fabric.nodes);
    return silent.length === 0 ? null : `pairs of a new fabric that do not answer: ${JSON.stringify(silent)}`;
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

/** Each of these flows, all at once, has this rate on the cable. */
export const expectRates = (
  fabric: Fabric,
  flows: readonly (readonly [from: number, to: number])[],
  mbit: number,
): Promise<void> =>
  lookUntil(async () => {
    const rates = await measureRates(fabric, flows);
    const all = flows.map(([from, to], at) => ({ from, to, mbit: rates[at] ?? 0 }));
    const wrong = all.filter((flow) => Math.abs(flow.mbit / mbit - 1) > TOLERANCE);
    return wrong.length === 0 ? null : `flows without their ${mbit} Mb/s: ${JSON.stringify(wrong)}`;
  });

const pairsOf = (numbers: readonly number[]): (readonly [number, number])[] =>
  Array.from(
    { length: Math.floor(numbers.length / 2) },
    (_, at) => [numbers[2 * at] ?? 0, numbers[2 * at + 1] ?? 0] as const,
  );
