import type { BadLink } from '../../contract/cluster-network.ts';
import { nodeNames } from './node-names.ts';
import type { ReportLink, ReportNetwork } from '../report-model.ts';

/** One line of the list of links. */
export interface ListedLink {
  from: string;
  to: string;
  bothWays: boolean;
  measured: number | null;
  expected: number | null;
  /** number of rates from which `expected` is derived; null: not counted */
  rates: number | null;
  factor: number | null;
  verdict: string;
}

/** Maximum bad links printed, and minimum lines in all: if few links are bad, the slowest of the others follow. */
const MAX_BAD = 24;
const MIN_LINES = 6;

/** The bad links, worst first, then the slowest of the others relative to their expected rates. */
export function worstLinks(network: ReportNetwork): { lines: ListedLink[]; bad_left_out: number } {
  const { bad_links } = network.results;
  const names = nodeNames(network);
  const name = (node: number): string => names[node] ?? '';
  const bad = bad_links.slice(0, MAX_BAD).map((link) => badLine(link, name));
  const named = new Set(bad_links.map(({ link_id }) => link_id));
  const others = network.links
    .filter(({ status, link }) => status === 'ok' && !named.has(link))
    .flatMap((link) => slowestWay(link, name) ?? [])
    .toSorted((a, b) => (a.factor ?? 1) - (b.factor ?? 1) || (a.measured ?? 0) - (b.measured ?? 0));
  return {
    lines: [...bad, ...others.slice(0, Math.max(0, MIN_LINES - bad.length))],
    bad_left_out: bad_links.length - bad.length,
  };
}

function badLine(link: BadLink, name: (node: number) => string): ListedLink {
  const [from, to] =
    link.direction === 'reverse' ? [link.target_node, link.source_node] : [link.source_node, link.target_node];
  return {
    from: `${from} ${name(from)}`,
    to: `${to} ${name(to)}`,
    bothWays: link.direction === 'both' || link.direction === null,
    measured: link.measured_gbps,
    expected: link.expected_gbps,
    rates: link.expected_rates ?? null,
    factor: link.factor,
    verdict:
      link.retransmit_share === null || link.verdict !== 'lossy'
        ? link.verdict
        : `lossy, ${(100 * link.retransmit_share).toPrecision(2)} % sent again`,
  };
}

/** The direction that is further below its expected rate; null if a direction was not measured. */
function slowestWay(link: ReportLink, name: (node: number) => string): ListedLink | null {
  const { forward_gbps: forward, reverse_gbps: reverse } = link;
  if (forward === null || reverse === null) return null;
  const factor = (measured: number, expected: number | null) => (expected ? measured / expected : null);
  const ahead = factor(forward, link.expected_forward_gbps);
  const back = factor(reverse, link.expected_reverse_gbps);
  const isAhead = ahead !== null && back !== null ? ahead <= back : forward <= reverse;
  const [from, to] = isAhead ? [link.source, link.target] : [link.target, link.source];
  return {
    from: `${from} ${name(from)}`,
    to: `${to} ${name(to)}`,
    bothWays: false,
    measured: isAhead ? forward : reverse,
    expected: isAhead ? link.expected_forward_gbps : link.expected_reverse_gbps,
    rates: isAhead ? link.expected_forward_rates : link.expected_reverse_rates,
    factor: isAhead ? ahead : back,
    verdict: link.verdict.replaceAll('_', ' '),
  };
}
