import { factorOf, type SlowSide } from './find-slow-nodes.ts';
import { farEnd, isTelling, ownEnd, type Flow, type Side } from './flows.ts';
import { leastShown } from './judging-limits.ts';
import { rateNoise, tellingRates, type Blamed } from './node-rates.ts';
import { testNode, worstLinks, type NodeTest } from './test-nodes.ts';
import type { JudgedLink, JudgedNode } from './run-verdict.ts';

/** Standard deviations beyond which a single rate is not due to chance. */
const DEVIATIONS = 4;
/** Share of the expected rate from which a link shows that its node is not slow. */
const SHOWN_FROM = 0.85;
/**
 * Number of nodes that must have shown it before similar ones are cleared too, and the maximum ratio of their factors.
 */
const FEWEST_SHOWN = 2;
const ALIKE = 1.25;

/** Slow nodes, separated from those whose path to the others was contended. */
export interface Cleared {
  slow: SlowSide[];
  /** not slow: each reaches its expected rate without contention */
  contended: SlowSide[];
  /** one link of each of the worst blamed nodes, worst node first, to be measured alone */
  retests: number[];
}

export interface Rounds {
  nodes: readonly JudgedNode[];
  links: readonly JudgedLink[];
  flows: readonly Flow[];
  blamed: Blamed;
}

/**
 * An oversubscribed uplink makes each node behind it look slow, the more so the fewer they are. Unlike slow nodes, which
 * are always slow, such a node has a link that reached the expected rate in the rounds (to a neighbour), or reaches it
 * alone on the network. If most of the tested nodes are cleared, so are similar untested ones.
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
  const links = new Map(rounds.links.map((link) => [link.link, link]));
  const suspects = Map.groupBy(
    slow.filter((one) => !inRounds.includes(one)),
    ({ node }) => node,
  );
  const tests = [...suspects.values()].flatMap((sides) => {
    const worse = sides.reduce((a, b) => (factorOf(b) < factorOf(a) ? b : a));
    return testNode({ sides, worse }, flowsOf(worse), rounds.blamed, links);
  });
  const contended = withAlike(inRounds, tests);
  return { slow: slow.filter((one) => !contended.includes(one)), contended, retests: worstLinks(tests) };
}

/** Sides shown not to be slow, in the rounds or alone; and similar undecided ones, if most of the tested sides were. */
function withAlike(inRounds: readonly SlowSide[], tests: readonly NodeTest[]): SlowSide[] {
  const sidesThat = (...outcomes: NodeTest['outcome'][]): SlowSide[] =>
    tests.flatMap((test) => (outcomes.includes(test.outcome) ? test.slow : []));
  const alone = sidesThat('reaches');
  const refuted = sidesThat('slow').length;
  const open = sidesThat('untested', 'unsure');
  const shown = [...inRounds, ...alone];
  const isTested = alone.length + refuted > 0;
  const isPattern = isTested ? alone.length > refuted : inRounds.length >= open.length;
  if (shown.length < FEWEST_SHOWN || !isPattern) return shown;
  const factors = shown.map(factorOf);
  const [least, most] = [Math.min(...factors) / ALIKE, Math.max(...factors) * ALIKE];
  return [...shown, ...open.filter((one) => factorOf(one) >= least && factorOf(one) <= most)];
}

function isShownInRounds({ measured, expected }: SlowSide, own: readonly Flow[], noise: number): boolean {
  const enough = Math.max(SHOWN_FROM * expected, measured * Math.exp(DEVIATIONS * noise));
  return own.filter(({ gbps }) => gbps >= enough).length >= leastShown(own.length);
}
