import type { CollectiveResult } from '../../contract/cluster-network.ts';
import { nodeNames } from '../facts/node-names.ts';
import { worstLinks, type ListedLink } from '../facts/network-links.ts';
import { printBytes, printCount, printInteger, printNumber } from '../facts/print-number.ts';
import { note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';
import { ink } from '../layout/theme.ts';
import type { ReportNetwork } from '../report-model.ts';

type BySize = CollectiveResult['all_reduce'][number];

const MAX_BAD_NODES = 40;
/** Up to this many nodes are all listed; of more, the bad ones and the weakest. */
const MAX_NODES = 64;
const WORST_NODES = 32;
/** Maximum characters of a name in the list of names by number. */
const LONGEST_NAME = 40;

export function badNodesTable(paper: Paper, { results }: ReportNetwork): void {
  const { bad_nodes: bad, node_count } = results;
  const names = nodeNames({ results });
  if (bad.length === 0) {
    if (node_count < 4 && node_count > 1)
      paragraph(
        paper,
        `With ${printCount(node_count, 'node')} a slow link cannot be told from a slow node: no node is blamed.`,
      );
    return;
  }
  subtitle(paper, 'Bad nodes');
  table(
    paper,
    [
      { title: 'Node', share: 20 },
      { title: 'What is wrong', share: 62, maxLines: 3 },
      { title: 'Factor', share: 8, align: 'right' },
    ],
    bad
      .slice(0, MAX_BAD_NODES)
      .map(({ node, message, factor }) => [
        { text: `${node} ${names[node] ?? ''}`, font: 'bold', color: ink.bad },
        message,
        factor === null ? '–' : printFactor(factor),
      ]),
  );
  if (bad.length > MAX_BAD_NODES)
    note(paper, `${bad.length - MAX_BAD_NODES} more bad nodes are kept with the results.`);
}

/** Worst links first; without bad links the slowest, so that a reader sees how much links differ. */
export function worstLinksTable(paper: Paper, network: ReportNetwork): void {
  const { lines, bad_left_out } = worstLinks(network);
  if (lines.length === 0) return;
  subtitle(
    paper,
    network.results.bad_links.length > 0 ? 'Worst links first' : 'The slowest links against what both ends reach',
  );
  table(
    paper,
    [
      { title: 'From', share: 22 },
      { title: '', share: 4 },
      { title: 'To', share: 22 },
      { title: 'Measured Gb/s', share: 13, align: 'right' },
      { title: 'Expected Gb/s', share: 13, align: 'right' },
      { title: 'Factor', share: 9, align: 'right' },
      { title: 'Verdict', share: 20 },
    ],
    lines.map(linkRow),
  );
  if (bad_left_out > 0) note(paper, `${printInteger(bad_left_out)} more bad links are kept with the results.`);
  note(
    paper,
    'Expected: what both ends reach with others, n: from how many rates. Slow: also alone on the network, twice. Unstable: alone slow only at times. ' +
      'Unconfirmed: not measured again alone. Lossy: segments were sent again. All links: the CSV of the link list.',
  );
}

const linkRow = (line: ListedLink): Cell[] => [
  line.from,
  line.bothWays ? '↔' : '→',
  line.to,
  printNumber(line.measured),
  line.rates === null ? printNumber(line.expected) : `${printNumber(line.expected)}, n ${printInteger(line.rates)}`,
  line.factor === null ? '–' : printFactor(line.factor),
  line.verdict,
];

const printFactor = (factor: number): string => (factor >= 10 ? factor.toFixed(0) : factor.toFixed(2));

/** Every node up to 64; beyond that the bad ones and those that send or receive least. */
export function networkNodesTable(paper: Paper, { results }: ReportNetwork): void {
  const { nodes } = results;
  const names = nodeNames({ results });
  const bad = new Set(results.bad_nodes.map(({ node }) => node));
  const weakest = nodes.toSorted((a, b) => strength(a) - strength(b)).slice(0, WORST_NODES);
  const isListed = new Set([...bad, ...weakest.map(({ node }) => node)]);
  const listed = nodes.length <= MAX_NODES ? nodes : nodes.filter(({ node }) => isListed.has(node));
  if (listed.length === 0) return;
  subtitle(paper, nodes.length <= MAX_NODES ? 'Nodes' : 'Nodes that are bad, or send or receive least');
  table(
    paper,
    [
      { title: 'Node', share: 24 },
      { title: 'Interface', share: 12 },
      { title: 'Nominal Gb/s', share: 10, align: 'right' },
      { title: 'Sends Gb/s', share: 11, align: 'right' },
      { title: 'Receives Gb/s', share: 11, align: 'right' },
      { title: 'Latency µs', share: 11, align: 'right' },
      { title: 'Links ok', share: 8, align: 'right' },
      { title: 'Failed', share: 8, align: 'right' },
      { title: 'State', share: 13 },
    ],
    listed.map((node): Cell[] => [
      bad.has(node.node)
        ? { text: `${node.node} ${names[node.node] ?? ''}`, font: 'bold', color: ink.bad }
        : `${node.node} ${names[node.node] ?? ''}`,
      node.interface ?? '–',
      printNumber(node.speed_gbps),
      printNumber(node.tx_gbps),
      printNumber(node.rx_gbps),
      printNumber(node.latency_us),
      printInteger(node.links_ok),
      printInteger(node.links_failed),
      `${node.state}${bad.has(node.node) && node.state === 'measured' ? ', bad' : ''}`,
    ]),
  );
  note(paper, 'Sends and receives: upper quartile over the links of the node. Latency: median over them.');
  if (nodes.length > MAX_NODES) {
    subtitle(paper, 'Names of the numbers');
    const told = names.map((name, node) => `${node}\u00A0${name.slice(0, LONGEST_NAME)}`);
    // A paragraph is never split over pages, so the list becomes several paragraphs.
    for (let first = 0; first < told.length; first += MAX_NODES)
      note(paper, `${told.slice(first, first + MAX_NODES).join(', ')}.`);
  }
}

const strength = ({ tx_gbps, rx_gbps }: { tx_gbps: number | null; rx_gbps: number | null }): number =>
  Math.min(tx_gbps ?? 0, rx_gbps ?? 0);

export function collectiveTable(paper: Paper, collective: CollectiveResult | null): void {
  if (collective === null) return;
  const { library, version, ranks, nodes, verified, simulated } = collective;
  subtitle(
    paper,
    `Collective operations: ${library.toUpperCase()} ${version}, ${printCount(ranks, 'rank')} on ${printCount(nodes, 'node')}`,
  );
  if (simulated) note(paper, 'SIMULATED: these figures come from a simulated library, no GPU took part.');
  if (!verified) note(paper, 'The data were wrong after the operations: their speeds are not results.');
  const sizes = [...new Set([...collective.all_reduce, ...collective.broadcast].map(({ bytes }) => bytes))];
  const find = (list: BySize[], bytes: number) => list.find((entry) => entry.bytes === bytes);
  const rows = sizes
    .toSorted((a, b) => a - b)
    .map((bytes) => ({
      bytes,
      reduce: find(collective.all_reduce, bytes),
      broadcast: find(collective.broadcast, bytes),
    }));
  const hasRemarks = rows.some(({ reduce, broadcast }) => isHostBound(reduce) || isHostBound(broadcast));
  table(
    paper,
    [
      { title: 'Size', share: 16, align: 'right' },
      { title: 'All-reduce: time ms', share: 20, align: 'right' },
      { title: 'bus GB/s', share: 14, align: 'right' },
      { title: 'Broadcast: time ms', share: 20, align: 'right' },
      { title: 'bus GB/s', share: 14, align: 'right' },
      ...(hasRemarks ? [{ title: 'Bound by the host', share: 22 }] : []),
    ],
    rows.map(({ bytes, reduce, broadcast }) => [
      printBytes(bytes),
      printNumber(reduce === undefined ? null : reduce.seconds * 1000),
      printNumber(reduce?.bus_gbs),
      printNumber(broadcast === undefined ? null : broadcast.seconds * 1000),
      printNumber(broadcast?.bus_gbs),
      ...(hasRemarks ? [boundOf(reduce, broadcast)] : []),
    ]),
  );
  if (hasRemarks)
    note(
      paper,
      'Bound by the host: the library waited for the device in its calls, so the time of these calls is in the figure; the links may be faster.',
    );
}

/** False for runners that did not report how they timed. */
const isHostBound = (size: BySize | undefined): boolean => size?.held_until_enqueued === false;

const boundOf = (reduce: BySize | undefined, broadcast: BySize | undefined): string =>
  [isHostBound(reduce) ? 'all-reduce' : [], isHostBound(broadcast) ? 'broadcast' : []].flat().join(', ') || '–';

const subtitle = (paper: Paper, text: string): void => {
  if (paper.reserve(90)) paragraph(paper, text, { font: 'bold' });
};
