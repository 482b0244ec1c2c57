import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { LinkMeasurement } from '../../../coordinator/contract/cluster-network.ts';
import type { Fabric } from '../../support/netns-lab/make-fabric.ts';
import { TCP_SHARE } from '../../support/netns-lab/shaper.ts';
import type { ClusterResult } from './start-cluster.ts';

/**
 * What healthy links may be off: the median of all directions, and any one of them. Two cores carry all nodes and whatever
 * else is tested, and a window of 0.6 s may lose its core for 0.1 s: a rate that is too low for that reason is true, and
 * must only be rare and never so low that a link would be named for it. Nothing excuses a rate above the shaper's.
 */
const RATE_TOLERANCE = 0.05;
const ONE_RATE_TOLERANCE = 0.15;
const DISTURBED_RATE_TOLERANCE = 0.35;
const DISTURBED_SHARE = 0.05;
/** What a factor may be off. */
const FACTOR_TOLERANCE = 0.05;

export interface FoundNode {
  node: number;
  reason: string;
  direction: string | null;
}

export interface FoundLink {
  /** in the direction that is bad; the lower number first where both or none is */
  from: number;
  to: number;
  verdict: string;
}

/** Names of the answer in numbers of the fabric, sorted; factors apart, since they are measured. */
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

/** Exactly these are named, in this order. What the links said stands beside a difference. */
export function assertFindings(result: ClusterResult, expected: { nodes: FoundNode[]; links: FoundLink[] }): void {
  const found = findings(result);
  if (!isDeepStrictEqual(found, expected)) process.stderr.write(`${describeLinks(result)}\n`);
  assert.deepEqual(found, expected);
}

/** Nothing and nobody is named. */
export const assertNobodyNamed = (result: ClusterResult): void => assertFindings(result, { nodes: [], links: [] });

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

export function assertFactor(measured: number | null | undefined, expected: number, what: string): void {
  const off = Math.abs((measured ?? Number.NaN) - expected);
  assert.ok(off <= FACTOR_TOLERANCE, `${what}: factor ${measured}, expected ${expected}`);
}

/** The factor by which this node is said to be slow, or late. */
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

/** Measurements of the rounds: every link once. */
export const firstAttempts = ({ network }: ClusterResult): LinkMeasurement[] =>
  network.measurements.filter(({ attempt }) => attempt === 1);

/**
 * All n (n - 1) / 2 links are there, once each, none missing and none doubled; and those that `isSound` picks are ok and at
 * the shaper's rate, either way.
 */
export function assertLinks(
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
  const ways = links.flatMap((link) => {
    const [source, target] = [fabricNumber(link.source_node), fabricNumber(link.target_node)];
    const { status, stage, code } = link;
    return [
      { from: source, to: target, gbps: link.forward_gbps, expected, status, stage, code },
      { from: target, to: source, gbps: link.reverse_gbps, expected, status, stage, code },
    ].filter(({ from, to }) => isSound(from, to));
  });
  const share = (way: { gbps: number | null; status: string }): number =>
    way.status === 'ok' ? (way.gbps ?? 0) / expected : 0;
  const tooFast = ways.filter((way) => share(way) > 1 + ONE_RATE_TOLERANCE);
  const tooSlow = ways.filter((way) => share(way) < 1 - ONE_RATE_TOLERANCE);
  const wrong = tooSlow.filter((way) => share(way) < 1 - DISTURBED_RATE_TOLERANCE);
  const fewDisturbed = tooSlow.length <= Math.max(1, Math.floor(ways.length * DISTURBED_SHARE));
  assert.deepEqual([...tooFast, ...(fewDisturbed ? wrong : tooSlow)], [], 'links that should be sound');
  const middle = ways.map(({ gbps }) => gbps ?? 0).toSorted((a, b) => a - b)[Math.floor(ways.length / 2)] ?? expected;
  assert.ok(Math.abs(middle / expected - 1) <= RATE_TOLERANCE, `sound links have ${middle} of ${expected} Gb/s`);
}
