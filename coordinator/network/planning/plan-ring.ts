import type { NetworkTransport } from '../../contract/network-config.ts';
import { leastLeadMs, recheckMs, ringAttempt } from '../network-times.ts';
import { insertLinks, selectLinks, type LinkRow } from '../queries/links.ts';
import { pairNumber } from '../schedule/pair-number.ts';
import { endRun } from './end-run.ts';
import { candidates } from '../run-row.ts';
import { settlePhase } from './settle-links.ts';
import { slotOfLink } from './slot-of-link.ts';
import { slotSecondsOf, startRounds } from './start-rounds.ts';
import { change, liveSeats, lookAgain, nowOf, type Step } from './step.ts';

/** Checks the transport between every node and its two neighbours, in two or three rounds of disjoint pairs. */
export async function planRing(step: Step, transport: NetworkTransport): Promise<void> {
  const { planner, tx, key, run, seats } = step;
  const { reach } = await planner.layouts.of(tx, run);
  const slotMs = slotSecondsOf(run, transport) * 1000;
  const start = nowOf(step) + leastLeadMs;
  const rounds = ringRounds(liveSeats(step).map(({ node }) => node));
  const sequence = run.sequence + 1;
  const links = rounds.flatMap((pairs, at) =>
    pairs.flatMap(([a, b]) => {
      const link = pairNumber(a, b, seats.length);
      const dial = reach.links.get(link);
      if (dial == null) return [];
      const ends = { source: Math.min(a, b), target: Math.max(a, b) };
      const attempt = ringAttempt[transport];
      const slot = { link, attempt, phase: 'ring', round: at, startsAtMs: start + at * slotMs, slotMs } as const;
      return slotOfLink(run, seats, { ...slot, ...ends, transport, concurrent: pairs.length, dial });
    }),
  );
  await insertLinks(tx, key, sequence, links);
  const end = start + rounds.length * slotMs;
  await change(step, {
    state: 'ring',
    sequence,
    plan: { kind: 'slots', starts_at_ms: start, ends_at_ms: end, made_at_ms: nowOf(step), transport },
    due_ms: end + recheckMs,
  });
}

/** 0-1, 2-3, ... then 1-2, 3-4, ..., last-0; with an odd number of nodes the last pair gets its own round. */
function ringRounds(nodes: readonly number[]): [number, number][][] {
  const n = nodes.length;
  const pairs = nodes.map((node, at): [number, number] => [node, nodes[(at + 1) % n] ?? node]);
  if (n === 2) return [pairs.slice(0, 1)];
  const even = pairs.filter((_, at) => at % 2 === 0 && !(n % 2 === 1 && at === n - 1));
  const odd = pairs.filter((_, at) => at % 2 === 1);
  return n % 2 === 0 ? [even, odd] : [even, odd, pairs.slice(-1)];
}

/**
 * Uses the transport if the check passed for all live nodes. Otherwise checks the next one, and after the last uses
 * TCP, with a note.
 */
export async function judgeRing(step: Step): Promise<void> {
  const { tx, key, run } = step;
  if (!(await settlePhase(step))) return void (await lookAgain(step, run.now_ms + recheckMs));
  const transport = run.plan?.transport ?? 'tcp';
  const live = liveSeats(step);
  const attempt = ringAttempt[transport];
  const rows = (await selectLinks(tx, key)).filter((row) => row.phase === 'ring' && row.attempt === attempt);
  const { proven, failed: first } = ringProof(
    rows,
    live.map(({ node }) => node),
  );
  if (proven) return startRounds(step, transport, run.transport_note);
  const names = first && [first.source, first.target].map((node) => step.seats[node]?.hostname ?? `node ${node}`);
  const where = names ? `between ${names.join(' and ')} (${first.status})` : 'where neighbours cannot reach each other';
  const notes = [run.transport_note, `${transport} was not used: its check failed ${where}.`];
  const note = notes.filter((one) => one !== null).join(' ');
  if (live.length < 2) return endRun(step, 'failed', 'Fewer than two nodes were left.');
  if ((run.config?.transport ?? 'auto') !== 'auto')
    return endRun(step, 'failed', `The configuration asks for ${transport}, and its check failed ${where}.`);
  const left = candidates(live);
  const next = left[left.findIndex((candidate) => candidate === transport) + 1];
  if (transport === 'rdma_host' || next === undefined) return startRounds(step, 'tcp', note);
  await planRing(await change(step, { transport_note: note }), next);
}

type Check = Pick<LinkRow, 'source' | 'target' | 'status'>;

/**
 * Whether the checks confirm a transport for the live nodes: none of theirs failed, and each took part in one that
 * passed. Nodes that died in the meantime are ignored.
 */
export function ringProof(
  checks: readonly Check[],
  live: readonly number[],
): { proven: boolean; failed: Check | null } {
  const alive = new Set(live);
  const theirs = checks.filter(({ source, target }) => alive.has(source) && alive.has(target));
  const failed = theirs.find(({ status }) => status !== 'ok') ?? null;
  const worked = new Set(theirs.flatMap(({ source, target, status }) => (status === 'ok' ? [source, target] : [])));
  return { proven: failed === null && live.length > 0 && live.every((node) => worked.has(node)), failed };
}
