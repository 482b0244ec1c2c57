import type { SlowSide } from './find-slow-nodes.ts';
import { farEnd, farSide, type Flow } from './flows.ts';
import { loneAttempts } from './judging-limits.ts';
import type { Blamed } from './node-rates.ts';
import type { JudgedLink } from './run-verdict.ts';

/** Blamed nodes of which one link each is measured again alone: enough to tell a pattern, few enough to leave time. */
const MAX_TESTED = 6;

/** What the best link of a slow side did alone on the network. */
export interface NodeTest {
  slow: SlowSide;
  link: number;
  /** untested: not twice yet; unsure: the two attempts disagree */
  outcome: 'reaches' | 'slow' | 'unsure' | 'untested';
}

/** The best link of a slow side to a node that is not blamed, which is at fault least, and what it did alone; null: there is none. */
export function testNode(
  slow: SlowSide,
  own: readonly Flow[],
  blamed: Blamed,
  links: ReadonlyMap<number, JudgedLink>,
): NodeTest | null {
  const telling = own.filter((flow) => !blamed[farSide(slow.side)].has(farEnd(flow, slow.side)));
  const [first] = telling;
  if (first === undefined) return null;
  const best = telling.reduce((a, b) => (b.gbps > a.gbps ? b : a), first);
  const link = links.get(best.link);
  const alone = (link?.attempts ?? []).flatMap(({ attempt, status, forward_gbps, reverse_gbps }) =>
    attempt > 1 && status === 'ok' ? ((link?.source === best.from ? forward_gbps : reverse_gbps) ?? []) : [],
  );
  return { slow, link: best.link, outcome: outcomeOf(slow, alone) };
}

function outcomeOf({ measured, expected }: SlowSide, alone: readonly number[]): NodeTest['outcome'] {
  if (alone.length < loneAttempts) return 'untested';
  // half way, in proportion, between what it did and what is expected
  const between = Math.sqrt(measured * expected);
  const high = alone.filter((gbps) => gbps >= between).length;
  return high === alone.length ? 'reaches' : high === 0 ? 'slow' : 'unsure';
}

/** One link of each of the worst nodes, worst first. */
export function worstLinks(tests: readonly NodeTest[]): number[] {
  const factor = ({ slow }: NodeTest): number => slow.measured / slow.expected;
  const worst = tests.toSorted((a, b) => factor(a) - factor(b) || a.slow.node - b.slow.node);
  const links = new Map<number, number>();
  for (const { slow, link } of worst) if (!links.has(slow.node)) links.set(slow.node, link);
  return [...links.values()].slice(0, MAX_TESTED);
}
