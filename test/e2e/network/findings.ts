import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { LinkMeasurement } from '../../../coordinator/contract/cluster-network.ts';
import type { Fabric } from '../../support/netns-lab/make-fabric.ts';
import { TCP_SHARE } from '../../support/netns-lab/shaper.ts';
import type { ClusterResult } from './start-cluster.ts';

/** How far the median of all healthy directions may be off, on any machine: that is the accuracy of a shaper. */
const RATE_TOLERANCE = 0.05;
const ONE_RATE_TOLERANCE = 0.15;

/** How far a factor may be off. */
const FACTOR_TOLERANCE = 0.05;

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

/** Exactly these are named, in this order. On a mismatch, what each link reported is printed to stderr. */
export function assertFindings(result: ClusterResult, expected: { nodes: FoundNode[]; links: FoundLink[] }): void {
  const found = findings(result);
  if (!isDeepStrictEqual(found, expected)) process.stderr.write(`${describeLinks(result)}\n`);
  assert.deepEqual(found, expected);
}

/** Neither nodes nor links are named. */
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
 * rate, every one of them at once.
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
  const ways = links.flatMap(({ status, stage: at, code, verdict, ...link }) => {
    const [source, target] = [fabricNumber(link.source_node), fabricNumber(link.target_node)];
    const said = { status, at, code, verdict };
    return [
      { from: source, to: target, share: (link.forward_gbps ?? 0) / expected, ...said },
      { from: target, to: source, share: (link.reverse_gbps ?? 0) / expected, ...said },
    ].filter(({ from, to }) => isSound(from, to));
  });
  const wrong = ways.filter(({ status, share }) => status !== 'ok' || Math.abs(share - 1) > ONE_RATE_TOLERANCE);
  if (wrong.length > 0) process.stderr.write(`${describeLinks(result)}\n`);
  assert.deepEqual(wrong, [], 'links that should be healthy but are not, with rates as shares of the expected one');
  const middle = ways.map(({ share }) => share).toSorted((a, b) => a - b)[Math.floor(ways.length / 2)] ?? 1;
  assert.ok(Math.abs(middle - 1) <= RATE_TOLERANCE, `the median of healthy links is ${middle} of ${expected} Gb/s`);
}
