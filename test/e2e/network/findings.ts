import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { LinkMeasurement } from '../../../coordinator/contract/cluster-network.ts';
import type { Fabric } from '../../support/netns-lab/make-fabric.ts';
import { TCP_SHARE } from '../../support/netns-lab/shaper.ts';
import type { ClusterResult } from './start-cluster.ts';

/** How far the median of all healthy directions may be off, on any machine: that is the accuracy of a shaper. */
const RATE_TOLERANCE = 0.05;
const ONE_RATE_TOLERANCE = 0.15;
/**
 * Upper limit for one direction on a busy machine: its window can also contain the shaper's burst and what a late wake-up
 * shifted into it, which is a larger part of a window that lost half of its slot. No queue explains more than this.
 */
const MOST_ABOVE = 1.3;
/**
 * On an idle machine every single direction is ok and has its rate. On a busy one, a slot of a few tenths of a second may
 * lose its core to other processes. That is a true result for that moment, and the product handles it: it measures a slow
 * link twice more, alone, and calls it contended or, if an attempt failed, unstable, but never slow, lossy or unreachable.
 * This is the share of links that may be disturbed in this way.
 */
const DISTURBED_SHARE = 0.2;
export const mostDisturbed = ({ idle }: { idle: boolean }, links: number): number =>
  idle ? 0 : Math.ceil(DISTURBED_SHARE * links);

/** What an end says of a slot whose plan or turn came too late for it. */
const lateCodes = new Set(['PLAN_LATE', 'TOO_LATE']);

/** Of most links every slot was met, and of the one between `a` and `b`, if given. */
export function wereOnTime(stage: { idle: boolean }, result: ClusterResult, a = -1, b = -1): boolean {
  const late = result.network.measurements.filter(({ code }) => lateCodes.has(code ?? ''));
  const links = new Set(late.map(({ link_id }) => link_id));
  return (
    links.size <= mostDisturbed(stage, firstAttempts(result).length) &&
    !late.some((link) => isBetween(result, link, a, b))
  );
}

/** How far a factor may be off. */
const FACTOR_TOLERANCE = 0.05;
/** On a busy machine the rates that it is compared with may lack a sixth too, as single directions do. */
const BUSY_FACTOR_TOLERANCE = 0.1;

export interface FoundNode {
  node: number;
  reason: string;
  direction: string | null;
}

export interface FoundLink {
  /** in the bad direction; if both or neither is bad, the lower number comes first */
  from: number;
  to: number;
  verdict: string;
}

/** The findings by fabric node number, sorted; without factors, which are measured and compared separately. */
export function findings(result: ClusterResult): { nodes: FoundNode[]; links: FoundLink[] } {
  const { network, fabricNumber } = result;
  const nodes = network.bad_nodes.map(({ node, reason, direction }) => ({
    node: fabricNumber(node),
    reason,
    direction,
  }));
  const links = network.bad_links.map((link) => {
    const [source, target] = [fabricNumber(link.source_node), fabricNumber(link.target_node)];
    const turned = link.direction === 'reverse' || (link.direction !== 'forward' && source > target);
    return { from: turned ? target : source, to: turned ? source : target, verdict: link.verdict };
  });
  return {
    nodes: nodes.toSorted((a, b) => a.node - b.node || a.reason.localeCompare(b.reason)),
    links: links.toSorted((a, b) => a.from - b.from || a.to - b.to),
  };
}

/**
 * Exactly these are named, in this order; on a busy machine a few links may also be `unstable`. On a mismatch, what each
 * link reported is printed to stderr.
 */
export function assertFindings(
  stage: { idle: boolean },
  result: ClusterResult,
  expected: { nodes: FoundNode[]; links: FoundLink[] },
): void {
  const { nodes, links } = findings(result);
  const isDisturbed = (link: FoundLink): boolean =>
    link.verdict === 'unstable' && !expected.links.some((one) => isDeepStrictEqual(one, link));
  const most = mostDisturbed(stage, firstAttempts(result).length);
  const disturbed = new Set(links.filter(isDisturbed).slice(0, most));
  const found = { nodes, links: links.filter((link) => !disturbed.has(link)) };
  if (!isDeepStrictEqual(found, expected)) process.stderr.write(`${describeLinks(result)}\n`);
  assert.deepEqual(found, expected);
}

/** Neither nodes nor links are named. */
export const assertNobodyNamed = (stage: { idle: boolean }, result: ClusterResult): void =>
  assertFindings(stage, result, { nodes: [], links: [] });

function describeLinks({ network, fabricNumber }: ClusterResult): string {
  return network.measurements
    .map((link) => {
      const rates = [link.forward_gbps, link.reverse_gbps].map((gbps) => gbps?.toFixed(4) ?? '-').join('/');
      const failed = [link.status, link.stage, link.code].filter((word) => word !== null).join(' ');
      const ends = `${fabricNumber(link.source_node)}-${fabricNumber(link.target_node)}`;
      return `# ${ends} #${link.attempt} ${failed} ${rates} ${link.latency_us ?? '-'} us ${link.retransmits}/${link.segments} skew ${link.start_skew_ms} ${link.verdict}`;
    })
    .join('\n');
}

export function assertFactor(
  { idle }: { idle: boolean },
  measured: number | null | undefined,
  expected: number,
  what: string,
): void {
  const off = Math.abs((measured ?? Number.NaN) - expected);
  const tolerance = idle ? FACTOR_TOLERANCE : BUSY_FACTOR_TOLERANCE;
  assert.ok(off <= tolerance, `${what}: factor ${measured}, expected ${expected}`);
}

/** The factor by which this node is reported as slow, or its latency as high. */
export const nodeFactor = ({ network, fabricNumber }: ClusterResult, node: number): number | null | undefined =>
  network.bad_nodes.find((bad) => fabricNumber(bad.node) === node)?.factor;

export const linkFactor = (result: ClusterResult, a: number, b: number): number | null | undefined =>
  result.network.bad_links.find((link) => isBetween(result, link, a, b))?.factor;

export const isBetween = (
  { fabricNumber }: ClusterResult,
  link: { source_node: number; target_node: number },
  a: number,
  b: number,
): boolean => {
  const ends = new Set([fabricNumber(link.source_node), fabricNumber(link.target_node)]);
  return a !== b && ends.has(a) && ends.has(b);
};

/** The measurements of the rounds: each link once, without retests. */
export const firstAttempts = ({ network }: ClusterResult): LinkMeasurement[] =>
  network.measurements.filter(({ attempt }) => attempt === 1);

/**
 * All n (n - 1) / 2 links are present exactly once, and the directions that `isSound` selects are ok and at the shaper's
 * rate: every one of them on an idle machine at once, most of them on a busy one at once or in a retest.
 */
export function assertLinks(
  stage: { idle: boolean },
  result: ClusterResult,
  fabric: Fabric,
  isSound: (from: number, to: number) => boolean = () => true,
): void {
  const { network, fabricNumber } = result;
  const links = firstAttempts(result);
  const possible = (network.node_count * (network.node_count - 1)) / 2;
  assert.equal(links.length, possible, 'one measurement of each pair');
  assert.equal(new Set(links.map(({ link_id }) => link_id)).size, possible, 'no pair twice');
  const expected = (fabric.rate_mbit / 1000) * TCP_SHARE;
  const waysOf = ({ status, stage: at, code, verdict, ...link }: LinkMeasurement) => {
    const [source, target] = [fabricNumber(link.source_node), fabricNumber(link.target_node)];
    const said = { status, at, code, verdict };
    return [
      { from: source, to: target, share: (link.forward_gbps ?? 0) / expected, ...said },
      { from: target, to: source, share: (link.reverse_gbps ?? 0) / expected, ...said },
    ].filter(({ from, to }) => isSound(from, to));
  };
  const ways = links.flatMap(waysOf);
  const isOff = ({ status, share }: { status: string; share: number }): boolean =>
    status !== 'ok' || Math.abs(share - 1) > ONE_RATE_TOLERANCE;
  const isDisturbed = (way: (typeof ways)[number]): boolean =>
    way.status === 'ok' ? way.share < MOST_ABOVE : way.verdict === 'unstable';
  // A core lost in the rounds shows in the first attempt alone; what was measured once more, by itself, is at the rate then.
  const again = stage.idle ? [] : network.measurements.filter(({ attempt }) => attempt > 1).flatMap(waysOf);
  const wasRight = ({ from, to }: (typeof ways)[number]): boolean =>
    again.some((way) => way.from === from && way.to === to && !isOff(way));
  const off = ways.filter((way) => isOff(way) && !wasRight(way));
  const disturbed = new Set(off.filter(isDisturbed).slice(0, mostDisturbed(stage, ways.length)));
  const wrong = off.filter((way) => !disturbed.has(way));
  if (wrong.length > 0) process.stderr.write(`${describeLinks(result)}\n`);
  assert.deepEqual(wrong, [], 'links that should be healthy but are not, with rates as shares of the expected one');
  const middle = ways.map(({ share }) => share).toSorted((a, b) => a - b)[Math.floor(ways.length / 2)] ?? 1;
  assert.ok(Math.abs(middle - 1) <= RATE_TOLERANCE, `the median of healthy links is ${middle} of ${expected} Gb/s`);
}
