import type { BadLink, BadNode } from '../../../contract/cluster-network.ts';

/** What the verdicts say of a node, before it has a name and a sentence. */
export type BlamedNode = Omit<BadNode, 'machine_uuid' | 'name' | 'message'>;
/** What the verdicts say of a link; its ends come from its number. */
export interface BlamedLink {
  link: number;
  verdict: BadLink['verdict'];
  direction: BadLink['direction'];
  factor: number | null;
  measured_gbps: number | null;
  expected_gbps: number | null;
  retransmit_share: number | null;
}

/** One sentence on a node that is bad: who, in which direction, how far off, in which unit. */
export function describeBadNode(name: string, bad: BlamedNode, links: { ok: number; failed: number }): string {
  switch (bad.reason) {
    case 'slow': {
      const acts = { tx: 'sends', rx: 'receives', both: 'sends and receives' }[bad.direction ?? 'both'];
      return `${name} ${acts} ${shareOf(bad.factor)} what its peers do${comparison(bad, 'of', 'Gb/s')}.`;
    }
    case 'latency':
      return bad.factor === null
        ? `${name} answers later than its peers${comparison(bad, 'against', 'µs')}.`
        : `${name} answers ${printed(bad.factor)} times as late as its peers${comparison(bad, 'against', 'µs')}.`;
    case 'failing':
      return `${links.failed} of ${links.ok + links.failed} links of ${name} failed.`;
    case 'lost':
      return `${name} stopped answering; ${links.failed} of its ${links.ok + links.failed} links were not measured.`;
    case 'inbound_blocked':
      return `No other node could open a connection to ${name}, while those that it opened itself worked.`;
    case 'unreachable':
      return `No connection to or from ${name} worked.`;
  }
}

/** One sentence on a link that is bad, or that nobody could clear. `source` and `target` are names. */
export function describeBadLink(source: string, target: string, bad: BlamedLink): string {
  const way = wayOf(source, target, bad.direction);
  const slow = `${way} ran ${shareOf(bad.factor)} what both nodes reach with others${
    bad.measured_gbps === null || bad.expected_gbps === null
      ? ''
      : ` (${printed(bad.measured_gbps)} of ${printed(bad.expected_gbps)} Gb/s)`
  }`;
  switch (bad.verdict) {
    case 'slow':
      return `${slow}, also when it was alone on the network.`;
    case 'unstable':
      return `${slow}; alone on the network it was slow in some of its attempts only.`;
    case 'unconfirmed':
      return `${slow}; it was not measured again alone, so that other traffic is not ruled out.`;
    case 'lossy':
      return bad.retransmit_share === null
        ? `${way} loses packets: its slowest round trips waited for a message to be sent again.`
        : `${way} loses packets: ${(100 * bad.retransmit_share).toPrecision(2)} % of the segments were sent again.`;
    case 'unreachable':
      return `${source} and ${target} could not reach each other when their link was to be measured.`;
  }
}

function wayOf(source: string, target: string, direction: BadLink['direction']): string {
  if (direction === 'forward') return `${source} to ${target}`;
  if (direction === 'reverse') return `${target} to ${source}`;
  return `${source} with ${target}`;
}

const comparison = ({ measured, expected }: BlamedNode, word: 'of' | 'against', unit: string): string =>
  measured === null || expected === null ? '' : ` (${printed(measured)} ${word} ${printed(expected)} ${unit})`;

const shareOf = (factor: number | null): string => (factor === null ? 'below' : `at ${factor.toFixed(2)} of`);

/** 0.19, 8.2, 20.0, 3,050: no more digits than a measurement of this kind holds. */
function printed(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 1 ? value.toFixed(1) : value.toPrecision(2);
}
