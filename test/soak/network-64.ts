import assert from 'node:assert/strict';
import { whyNoLab } from '../support/netns-lab/why-no-lab.ts';
import { openSite } from '../e2e/network/cluster-site.ts';
import { withLifetime } from '../support/lifetime.ts';
import { breakNodes, shapeFaults } from './network-64/faults.ts';
import { judgeSoak, type SoakRow } from './network-64/judge-soak.ts';
import { runSoak, STRANGER } from './network-64/run-soak.ts';

/**
 * 64 packaged agents in 64 namespaces with the real coordinator, healthy and with all faults together: all pairs (2,016
 * links) and 16 random matchings (512 links). During the healthy run of all pairs, strangers open 1,000 connections.
 * Rates are low because two cores carry 32 links at a time; the results and the duration are tested.
 */
const NODES = 64;
const RATE_MBIT = 8;
const variants = [
  { name: 'd=16 sound', config: { graph: 'degree', degree: 16 }, faults: false, strangers: 0 },
  { name: 'd=16 faults', config: { graph: 'degree', degree: 16 }, faults: true, strangers: 0 },
  { name: 'K_64 sound, strangers', config: { graph: 'full' }, faults: false, strangers: 1000 },
  { name: 'K_64 faults', config: { graph: 'full' }, faults: true, strangers: 0 },
];
const wanted = process.env['VARIANTS']?.split(',').map(Number);

const reason = await whyNoLab();
if (reason !== null) {
  process.stdout.write(`${JSON.stringify({ soak: 'network-64', passed: false, skipped: reason })}\n`);
  process.exit(8);
}
const rows: SoakRow[] = [];
await withLifetime(async (t) => {
  const site = await openSite(t);
  for (const [number, variant] of variants.entries()) {
    if (wanted !== undefined && !wanted.includes(number)) continue;
    // The additional node takes no part: the strangers connect from it.
    const fabric = await site.lab.addFabric({ nodes: NODES + 1, rate_mbit: RATE_MBIT });
    assert.equal(fabric.nodes.at(-1)?.number, STRANGER);
    if (variant.faults) await shapeFaults(fabric);
    const run = await runSoak(site, fabric, {
      ...variant,
      midway: variant.faults ? (cluster) => breakNodes(fabric, cluster) : null,
    });
    rows.push(judgeSoak(variant.name, fabric, run, variant.faults));
    process.stdout.write(`${lineOf(rows.at(-1))}\n`);
    await fabric.remove();
  }
});
process.stdout.write(`\n${rows.map(lineOf).join('\n')}\n`);
const failures = rows.flatMap(({ variant, failures }) => failures.map((failure) => `${variant}: ${failure}`));
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`${JSON.stringify({ soak: 'network-64', passed: failures.length === 0, failures, rows })}\n`);
process.exitCode = failures.length === 0 ? 0 : 8;

function lineOf(row: SoakRow | undefined): string {
  if (row === undefined) return '';
  const { variant, links, missing, ok, rounds_s, slots_s, ratio, named } = row;
  const counts = `${String(links).padStart(5)} links ${String(missing).padStart(3)} missing ${String(ok).padStart(5)} ok`;
  return `${variant.padEnd(24)}${counts}  ${rounds_s.toFixed(1)} s of ${slots_s} s (${ratio.toFixed(3)})  named: ${named.join(' ') || '-'}`;
}
