import type { BadLink } from '../../contract/cluster-network.ts';
import type { BlamedLink, BlamedNode } from '../verdict/run-verdict.ts';

/** From this share on, retransmitted segments alone show packet loss; below it, the delays have shown it. */
const TELLING_SHARE = 0.001;

/** One sentence on a bad node: name, direction, deviation and unit. */
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

/** A bad or unconfirmed link, and the number of attempts of whose rates the measured one is the median. */
type CountedLink = BlamedLink & { attempts: number };

/** One sentence on such a link. `source` and `target` are names. */
export function describeBadLink(source: string, target: string, bad: CountedLink): string {
  const path = pathOf(source, target, bad.direction);
  const both = `${source} with ${target}`;
  switch (bad.verdict) {
    case 'slow':
      return `${path} ran ${rateOf(bad)}, also when it was alone on the network.`;
    case 'unstable':
      return `${both} is unsteady: some attempts at this link were good, others slow or without a result.`;
    case 'unconfirmed':
      return unconfirmed(both, path, bad);
    case 'lossy':
      return bad.retransmit_share === null || bad.retransmit_share < TELLING_SHARE
        ? `${both} loses packets: its slowest round trips waited for a message to be sent again.`
        : `${both} loses packets: ${(100 * bad.retransmit_share).toPrecision(2)} % of the segments were sent again.`;
    case 'unreachable':
      return `${both}: no attempt to connect or to measure worked.`;
  }
}

/** Added for a link whose round trips were measured but whose transfer never began: full-size packets are lost. */
export const SHORT_ONLY =
  'Short messages passed, full packets did not: compare the MTU of both ends with that of the switches between.';

function unconfirmed(both: string, path: string, bad: CountedLink): string {
  if (bad.measured_gbps === null) return `${both} could not be measured, and was not tried again alone on the network.`;
  // Slow in neither direction: it is suspected because of loss.
  const what = bad.direction === null ? `${both} may lose packets` : `${path} ran ${rateOf(bad)}`;
  const again = bad.attempts > 1 ? 'it was measured again alone only once' : 'it was not measured again alone';
  return `${what}; ${again}, so other traffic cannot be ruled out.`;
}

const rateOf = (bad: CountedLink): string =>
  `${shareOf(bad.factor)} ${bad.compared_with === 'other_links' ? 'what both nodes reach with others' : 'the other direction'}` +
  (bad.measured_gbps === null || bad.expected_gbps === null
    ? ''
    : ` (${printed(bad.measured_gbps)} of ${printed(bad.expected_gbps)} Gb/s, ${bad.attempts === 1 ? 'one attempt' : `median of ${bad.attempts} attempts`}${ratesBehind(bad)})`);

/** The text omits how they are combined: an upper quartile of links, a median of nodes, or the other direction. */
const ratesBehind = ({ expected_rates: rates }: CountedLink): string =>
  rates === undefined ? '' : `, expected from ${rates} ${rates === 1 ? 'rate' : 'rates'}`;

function pathOf(source: string, target: string, direction: BadLink['direction']): string {
  if (direction === 'forward') return `${source} to ${target}`;
  if (direction === 'reverse') return `${target} to ${source}`;
  return `${source} with ${target}`;
}

const comparison = (bad: BlamedNode, word: 'of' | 'against', unit: string): string =>
  bad.measured === null || bad.expected === null
    ? ''
    : ` (${printed(bad.measured)} ${word} ${printed(bad.expected)} ${unit}${countsOf(bad)})`;

/** A rate is the upper quartile of the node's links, a latency their median; the peers' figure is a median over nodes. */
const countsOf = ({ reason, links, peers }: BlamedNode): string =>
  links === undefined || peers === undefined
    ? ''
    : `; ${reason === 'latency' ? 'median' : 'upper quartile'} of ${links} links, and median of ${peers} nodes`;

const shareOf = (factor: number | null): string => (factor === null ? 'below' : `at ${factor.toFixed(2)} of`);

/** 0.19, 8.2, 20.0, 3,050: no more digits than such a measurement supports. */
function printed(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 1 ? value.toFixed(1) : value.toPrecision(2);
}
