import type { SlowSide } from './find-slow-nodes.ts';
import { farEnd, isTelling, ownEnd, type Flow, type Side } from './flows.ts';
import { isMostlyCleared, leastShown } from './judging-limits.ts';
import { rateNoise, tellingRates, type Blamed } from './node-rates.ts';
import { testNode, worstLinks, type NodeTest } from './test-nodes.ts';
import type { JudgedLink, JudgedNode } from './run-verdict.ts';

/** Deviations of a single rate that chance does not bridge. */
const DEVIATIONS = 4;
/** Share of the expected rate at which a link shows that its node is not slow. */
const SHOWN_FROM = 0.85;
/** A node this much below the slowest that was cleared has more than what they had. */
const AS_SLOW = 0.8;

/** Slow nodes told from those whose way to the others was contended. */
export interface Cleared {
  slow: SlowSide[];
  /** not slow: each reaches what is expected of it when nothing else is in its way */
  contended: SlowSide[];
  /** one link of each of the worst blamed nodes, worst node first, for a measurement alone */
  retests: number[];
}

export interface Rounds {
  nodes: readonly JudgedNode[];
  links: readonly JudgedLink[];
  flows: readonly Flow[];
  blamed: Blamed;
}

/**
 * A thin uplink makes each node behind it look slow, the fewer they are the more. Two things tell them from slow nodes,
 * which are slow always: a link of theirs that reached in the rounds what is expected (to a neighbour), or one that does
 * so alone on the network. What clears most of those tested clears the like of them that were not.
 */
export function clearNodes(slow: readonly SlowSide[], rounds: Rounds): Cleared {
  if (slow.length === 0) return { slow: [], contended: [], retests: [] };
  const flowsOfSide = (side: Side) => {
    const telling = rounds.flows.filter((flow) =>
      isTelling(rounds.nodes[ownEnd(flow, side)], rounds.nodes[farEnd(flow, side)]),
    );
    const noise = rateNoise(tellingRates(rounds.flows, rounds.nodes, side, rounds.blamed));
    return { own: Map.groupBy(telling, (flow) => ownEnd(flow, side)), noise };
  };
  const sides = { tx: flowsOfSide('tx'), rx: flowsOfSide('rx') };
  const flowsOf = ({ side, node }: SlowSide): Flow[] => sides[side].own.get(node) ?? [];

  const inRounds = slow.filter((one) => isShownInRounds(one, flowsOf(one), sides[one.side].noise));
  const left = slow.filter((one) => !inRounds.includes(one));
  const byRounds = isMostlyCleared(inRounds.length, left.length) ? [...inRounds, ...alike(left, inRounds)] : inRounds;
  const links = new Map(rounds.links.map((link) => [link.link, link]));
  const tests = slow
    .filter((one) => !byRounds.includes(one))
    .flatMap((one) => testNode(one, flowsOf(one), rounds.blamed, links) ?? []);
  const alone = clearedAlone(tests);
  const contended = [...byRounds, ...alone];
  return { slow: slow.filter((one) => !contended.includes(one)), contended, retests: worstLinks(tests) };
}

function clearedAlone(tests: readonly NodeTest[]): SlowSide[] {
  const sidesThat = (outcome: NodeTest['outcome']): SlowSide[] =>
    tests.flatMap((test) => (test.outcome === outcome ? test.slow : []));
  const shown = sidesThat('reaches');
  if (!isMostlyCleared(shown.length, sidesThat('slow').length)) return shown;
  return [...shown, ...alike(sidesThat('untested'), shown)];
}

const alike = (left: readonly SlowSide[], cleared: readonly SlowSide[]): SlowSide[] => {
  const least = Math.min(...cleared.map(({ measured, expected }) => measured / expected));
  return left.filter(({ measured, expected }) => measured / expected >= AS_SLOW * least);
};

function isShownInRounds({ measured, expected }: SlowSide, own: readonly Flow[], noise: number): boolean {
  const enough = Math.max(SHOWN_FROM * expected, measured * Math.exp(DEVIATIONS * noise));
  return own.filter(({ gbps }) => gbps >= enough).length >= leastShown(own.length);
}
