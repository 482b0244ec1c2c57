import type { NetworkTransport } from '../../contract/network-config.ts';
import { nodeNames } from '../facts/node-names.ts';
import { printCount, printInteger, printNumber, printPercent } from '../facts/print-number.ts';
import { heading, keyValues, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import type { ReportNetwork } from '../report-model.ts';
import { networkMaps } from './network-maps.ts';
import { badNodesTable, collectiveTable, networkNodesTable, worstLinksTable } from './network-tables.ts';

/** Maximum groups of nodes printed, and nodes per group. */
const MAX_GROUPS = 8;
const MAX_MEMBERS = 12;

/** The links between the nodes of a job: figures with their count, bad nodes, the worst links, maps of all links. */
export function networkSection(paper: Paper, network: ReportNetwork | null): void {
  if (!network || !heading(paper, 'Cluster network', 150)) return;
  const { results } = network;
  paragraph(paper, leadOf(network), { font: 'bold' });
  if (results.transport !== 'tcp') paragraph(paper, `Measured over ${transportWords[results.transport]}.`);
  keyValues(paper, figures(network));
  note(
    paper,
    'Bandwidth: payload bytes that the receiver counted over the measured window, 1 Gb/s = 1e9 bits/s. Latency: half of the ' +
      'median round trip of 64-byte messages before any load. Averages are over links that are ok, of first attempts only.',
  );
  if (results.transport_note !== null) note(paper, `Transport: ${results.transport_note}`);
  for (const text of results.notes) note(paper, text);
  partitionsParagraph(paper, network);
  badNodesTable(paper, network);
  worstLinksTable(paper, network);
  contentionParagraph(paper, network);
  networkMaps(paper, network);
  networkNodesTable(paper, network);
  collectiveTable(paper, results.collective);
}

const transportWords: Record<NetworkTransport, string> = {
  tcp: 'TCP',
  rdma_host: 'RDMA between the memories of the hosts (perftest); these figures are not comparable with those of TCP',
  rdma_gpu: 'RDMA between the memories of the GPUs (perftest); these figures are not comparable with those of TCP',
};
const transportNames: Record<NetworkTransport, string> = {
  tcp: 'TCP',
  rdma_host: 'RDMA, host memory',
  rdma_gpu: 'RDMA, GPU memory',
};

function leadOf({ results }: ReportNetwork): string {
  const { node_count, total_links_tested, links_planned, bad_nodes, bad_links } = results;
  const tested = `${printInteger(total_links_tested)} of ${printCount(links_planned, 'planned link')} between ${printCount(node_count, 'node')} measured over ${transportNames[results.transport]}`;
  const bad = [
    bad_nodes.length > 0 ? printCount(bad_nodes.length, 'bad node') : null,
    bad_links.length > 0 ? `${printCount(bad_links.length, 'link')} bad or not cleared` : null,
  ].filter((part) => part !== null);
  if (bad.length > 0) return `${tested}; ${bad.join(', ')}.`;
  return `${tested}; ${total_links_tested > 0 ? 'no bad node and no bad link found' : 'nothing can be said of nodes or links'}.`;
}

function figures({ results }: ReportNetwork): [string, string | null][] {
  const n = `n = ${printInteger(results.total_links_tested)}`;
  const failed = Object.entries(results.links_failed).map(
    ([status, count]) => `${status.replaceAll('_', ' ')} ${printInteger(count)}`,
  );
  const { graph } = results;
  return [
    ['Average', withUnit(results.avg_bandwidth_gbps, 'Gb/s', `both directions, ${n}`)],
    ['Lowest', withUnit(results.min_bandwidth_gbps, 'Gb/s', `one direction, ${n}`)],
    ['Latency', withUnit(results.avg_latency, 'µs', `mean, ${n}`)],
    ['Coverage', `${printPercent(results.coverage)} of ${printCount(results.links_possible, 'pair')}`],
    ['Failed', failed.join(', ') || 'none'],
    [
      'Graph',
      graph.kind === 'full'
        ? `every pair, ${printCount(graph.rounds, 'round')}`
        : `${graph.degree ?? '?'} links of each node, ${printCount(graph.rounds, 'round')}`,
    ],
    ['At once', `up to ${printCount(results.concurrency, 'link')}, ${results.slot_seconds} s each`],
    [
      'Duration',
      `${printNumber(results.duration_s)} s${results.rounds_s === null ? '' : `, rounds ${printNumber(results.rounds_s)} s`}`,
    ],
    ['Not joined', results.missing_nodes > 0 ? printCount(results.missing_nodes, 'node') : null],
    ['Seed', graph.seed],
  ];
}

const withUnit = (value: number | null, unit: string, of: string): string =>
  value === null ? 'not measured' : `${printNumber(value)}\u00A0${unit} (${of})`;

function partitionsParagraph(paper: Paper, { results }: ReportNetwork): void {
  const { partitions, one_way_pairs } = results;
  const all = nodeNames({ results });
  if (partitions.length > 1) {
    const shown = partitions.slice(0, MAX_GROUPS).map((group, index) => {
      const names = group.slice(0, MAX_MEMBERS).map((node) => `${node} ${all[node] ?? ''}`);
      const more = group.length - names.length;
      return `group ${index + 1} (${printCount(group.length, 'node')}): ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    });
    const more = partitions.length - shown.length;
    paragraph(
      paper,
      `The nodes form ${partitions.length} groups that do not reach each other – ${shown.join('; ')}${more > 0 ? `; and ${more} more groups` : ''}.`,
    );
  }
  if (one_way_pairs.length > 0)
    paragraph(
      paper,
      `${printCount(one_way_pairs.length, 'pair')} could be connected in one direction only; the links were opened from the side that works.`,
    );
}

function contentionParagraph(paper: Paper, { results }: ReportNetwork): void {
  const { contended_links: contended, unconfirmed_links: unconfirmed } = results;
  if (contended.length > 0)
    paragraph(
      paper,
      `${printCount(contended.length, 'link')} slow together with others and good alone: their traffic shares a path, the links themselves are sound.`,
    );
  if (unconfirmed > 0)
    paragraph(
      paper,
      `${printCount(unconfirmed, 'suspect link')} not measured again alone twice: whether the link or other traffic is the cause is not known.`,
    );
}
