import { fewestLinks } from './judging-limits.ts';
import type { BlamedNode, JudgedLink, JudgedNode } from './run-verdict.ts';

/** A node is blamed if more than this share of its links fails. */
const FAILING_ABOVE = 0.5;
/**
 * Also if this many of its last links in a row failed: it was cut off during the run, however well it worked before.
 */
const CUT_OFF_AFTER = 4;

interface Driven {
  source: number;
  target: number;
  round: number | null;
  ok: boolean;
}

/** Nodes that were lost or never reached, according to the run, then those whose links failed mostly or at the end. */
export function findFailingNodes(links: readonly JudgedLink[], nodes: readonly JudgedNode[]): BlamedNode[] {
  const absent = nodes.flatMap(({ node, state }): BlamedNode[] =>
    state === 'measured'
      ? []
      : [{ node, reason: state, direction: null, factor: null, measured: null, expected: null, unit: null }],
  );
  return [...absent, ...failingNodes(links, nodes, new Set(absent.map(({ node }) => node)))];
}

/**
 * At least three links must fail, so none among two or three nodes qualifies. Picks the worst, removes its links, then
 * picks the next: a node that only had links to failing nodes is not failing.
 */
function failingNodes(
  links: readonly JudgedLink[],
  nodes: readonly JudgedNode[],
  absent: ReadonlySet<number>,
): BlamedNode[] {
  let left = withoutPartitions(drivenLinks(links), nodes.length).filter(
    ({ source, target }) => !absent.has(source) && !absent.has(target),
  );
  const failing: BlamedNode[] = [];
  for (let worst = worstNode(left, nodes.length); worst !== null; worst = worstNode(left, nodes.length)) {
    const { node, ok, all } = worst;
    failing.push({
      node,
      reason: 'failing',
      direction: null,
      factor: ok / all,
      measured: ok,
      expected: all,
      unit: 'links',
    });
    left = left.filter(({ source, target }) => source !== node && target !== node);
  }
  return failing;
}

const drivenLinks = (links: readonly JudgedLink[]): Driven[] =>
  links
    .flatMap(({ source, target, round, attempts }) => {
      const first = attempts.find(({ attempt }) => attempt === 1);
      return first ? [{ source, target, round, ok: first.status === 'ok' }] : [];
    })
    .toSorted((a, b) => (a.round ?? -1) - (b.round ?? -1));

function worstNode(links: readonly Driven[], count: number): { node: number; ok: number; all: number } | null {
  const tallies = Array.from({ length: count }, (_, node) => ({ node, ok: 0, all: 0, failedSince: 0 }));
  for (const { source, target, round, ok } of links)
    for (const end of [source, target]) {
      const tally = tallies[end];
      if (!tally) continue;
      tally.all += 1;
      if (ok) tally.ok += 1;
      // in no round: the preflight does not show when it failed
      if (round !== null) tally.failedSince = ok ? 0 : tally.failedSince + 1;
    }
  const failing = tallies.filter(
    ({ ok, all, failedSince }) =>
      all - ok >= fewestLinks && (all - ok > FAILING_ABOVE * all || failedSince >= CUT_OFF_AFTER),
  );
  const first = failing[0];
  if (!first) return null;
  // by share of ok links, then by number
  return failing.reduce((a, b) => ((b.ok * a.all - a.ok * b.all || a.all - b.all) < 0 ? b : a), first);
}

/** Removes links between groups that only reach their own members: that is a partition, not the fault of a node. */
function withoutPartitions(links: readonly Driven[], count: number): Driven[] {
  const group = Array.from({ length: count }, (_, node) => node);
  const rootOf = (node: number): number => {
    let root = node;
    while (group[root] !== root) root = group[root] ?? root;
    group[node] = root;
    return root;
  };
  for (const { source, target, ok } of links) if (ok) group[rootOf(source)] = rootOf(target);
  const sizes = new Map<number, number>();
  for (let node = 0; node < count; node += 1) sizes.set(rootOf(node), (sizes.get(rootOf(node)) ?? 0) + 1);
  const isAlone = (node: number): boolean => sizes.get(rootOf(node)) === 1;
  return links.filter(({ source, target }) => rootOf(source) === rootOf(target) || isAlone(source) || isAlone(target));
}
