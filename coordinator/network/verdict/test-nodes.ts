import { factorOf, type SlowSide } from './find-slow-nodes.ts';
import { farEnd, type Flow } from './flows.ts';
import { loneAttempts } from './judging-limits.ts';
import type { Blamed } from './node-rates.ts';
import type { JudgedLink } from './run-verdict.ts';

/**
 * Maximum number of blamed nodes that each have one link measured again alone: enough to show a pattern, few enough
 * to leave time.
 */
const MAX_TESTED = 6;
/** Least share of the expected rate that clears a node. */
const REACHED_FROM = 0.75;

/** Result of a slow side's link alone on the network. */
export interface NodeTest {
  slow: SlowSide;
  link: number;
  /** untested: not twice yet; unsure: the two attempts disagree */
  outcome: 'reaches' | 'slow' | 'unsure' | 'untested';
}

/**
 * Results of one node's slow sides alone, on its link that is least likely at fault: the fastest in the worse direction
 * to a node that is not blamed. `flows` are the node's own in that direction; empty if it has no such link.
 */
export function testNode(
  { sides, worse }: { sides: readonly SlowSide[]; worse: SlowSide },
  flows: readonly Flow[],
  blamed: Blamed,
  links: ReadonlyMap<number, JudgedLink>,
): NodeTest[] {
  const telling = flows.filter((flow) => {
    const far = farEnd(flow, worse.side);
    return !blamed.tx.has(far) && !blamed.rx.has(far);
  });
  const [first] = telling;
  if (first === undefined) return [];
  const best = telling.reduce((a, b) => (b.gbps > a.gbps ? b : a), first);
  const link = links.get(best.link);
  return sides.map((one) => ({ slow: one, link: best.link, outcome: outcomeOf(one, ratesAlone(link, one)) }));
}

/** The node's sending or receiving rates in the link's attempts alone on the network. */
function ratesAlone(link: JudgedLink | undefined, { node, side }: SlowSide): number[] {
  const isForward = (link?.source === node) === (side === 'tx');
  return (link?.attempts ?? []).flatMap(({ attempt, status, forward_gbps, reverse_gbps }) =>
    attempt > 1 && status === 'ok' ? ((isForward ? forward_gbps : reverse_gbps) ?? []) : [],
  );
}

function outcomeOf({ measured, expected }: SlowSide, alone: readonly number[]): NodeTest['outcome'] {
  if (alone.length < loneAttempts) return 'untested';
  // closer, in ratio, to the expected than to the measured rate, and at least this share of it: contention can hide a
  // fault too
  const enough = Math.max(Math.sqrt(measured * expected), REACHED_FROM * expected);
  const high = alone.filter((gbps) => gbps >= enough).length;
  return high === alone.length ? 'reaches' : high === 0 ? 'slow' : 'unsure';
}

/** One link of each of the worst nodes, worst first. */
export function worstLinks(tests: readonly NodeTest[]): number[] {
  const worst = tests.toSorted((a, b) => factorOf(a.slow) - factorOf(b.slow) || a.slow.node - b.slow.node);
  const links = new Map(worst.map(({ slow, link }) => [slow.node, link]));
  return [...links.values()].slice(0, MAX_TESTED);
}
