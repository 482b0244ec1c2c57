import { worstOf } from '../../figures/reference-words.ts';
import { headlineMetrics } from '../facts/headline.ts';
import { nodeStandings } from '../facts/job-findings.ts';
import { metricInfo } from '../facts/metrics.ts';
import { nodeFindings } from '../facts/node-findings.ts';
import { nodeValue, type NodeSummary } from '../facts/node-summary.ts';
import { printCount, printDeviation, printNumber, printPercent } from '../facts/print-number.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { heightOf, picture } from '../layout/picture.ts';
import { table, type Cell, type Column } from '../layout/table.ts';
import { ink } from '../layout/theme.ts';
import { peerStrips, type PeerRow } from './peer-strips.ts';

/** The distribution of the nodes' figures, and the outliers. */
export function distributionSection(paper: Paper, nodes: NodeSummary[]): void {
  const perMetric = nodeStandings(nodes).filter(({ standings }) => standings.length > 0);
  const rows = perMetric.map(({ metric, standings }): PeerRow => ({
    label: metricInfo[metric].label,
    points: standings.map((one) => ({ ...one, name: shortened(paper.glyphs.printable(one.name)) })),
  }));
  const svg = rows.length === 0 ? null : peerStrips(rows, 'nodes of equal hardware');
  if (!heading(paper, 'How the nodes spread', svg === null ? 30 : heightOf(svg))) return;
  if (svg === null) {
    paragraph(paper, 'Fewer than three nodes of equal hardware have figures, so there is no group to compare with.');
    return;
  }
  picture(paper, svg);
  note(
    paper,
    'Outlier: at least 3 % from the median of its group and more than 3.5 scaled median absolute deviations. ' +
      'Matrix products are compared only with those of the same engine.',
  );
  const outliers = perMetric.flatMap(({ metric, standings }) =>
    standings.filter(({ outlier }) => outlier).map((one) => ({ metric, one })),
  );
  if (outliers.length === 0) {
    paragraph(paper, 'No node is an outlier.');
    return;
  }
  table(
    paper,
    [
      { title: 'Outlier', share: 40 },
      { title: 'Figure', share: 28 },
      { title: 'Value', share: 16, align: 'right' },
      { title: 'From the median', share: 16, align: 'right' },
    ],
    outliers
      .toSorted((a, b) => a.one.deviation - b.one.deviation)
      .slice(0, 20)
      .map(({ metric, one }) => [
        one.name,
        metricInfo[metric].label,
        `${printNumber(one.value)} ${metricInfo[metric].unit}`,
        printDeviation(one.deviation),
      ]),
  );
  if (outliers.length > 20) note(paper, `${outliers.length - 20} more outliers stand in the list of exceptions.`);
}

/** One row per node: state, hardware, the three numbers, the lowest comparison, findings. */
export function nodesSection(paper: Paper, nodes: NodeSummary[]): void {
  if (!heading(paper, `The ${printCount(nodes.length, 'node')}`, 60)) return;
  if (nodes.length === 0) {
    paragraph(paper, 'No machine registered for this job.');
    return;
  }
  const metrics = headlineMetrics(nodes.flatMap(({ devices }) => devices));
  const kinds = new Set(nodes.flatMap(({ kind }) => kind ?? []));
  const columns: Column[] = [
    { title: '', share: 5, align: 'right' },
    { title: 'Node', share: kinds.size > 1 ? 26 : 42, maxLines: 1 },
    { title: 'State', share: 14, maxLines: 1 },
    // Printed once below the heading if all nodes are alike.
    ...(kinds.size > 1 ? [{ title: 'Devices', share: 22, maxLines: 1 }] : []),
    ...metrics.map((metric): Column => ({
      title: `${metricInfo[metric].short} ${metricInfo[metric].unit}`,
      share: 11,
      align: 'right',
    })),
    { title: 'Lowest comparison', share: 10, align: 'right' },
    { title: 'Findings', share: 9, align: 'right' },
  ];
  if (kinds.size === 1) paragraph(paper, `Every measured node has ${[...kinds].join('')}.`);
  table(
    paper,
    columns,
    nodes.map((summary, index) => [
      String(index + 1),
      summary.name,
      stateCell(summary),
      ...(kinds.size > 1 ? [summary.kind ?? '–'] : []),
      ...metrics.map((metric) => printNumber(nodeValue(summary.devices, metric))),
      worstRatio(summary),
      findingsCell(summary),
    ]),
  );
  note(
    paper,
    'Figures are sums over the devices of a node, of medians; a dash where a device has no valid figure. Each node has a report of its own with counts and spread.',
  );
}

/** For a label in the chart; the table below has the full name. */
const shortened = (name: string): string => (name.length > 30 ? `${name.slice(0, 29)}…` : name);

function stateCell({ node }: NodeSummary): Cell {
  const isBad = node.state === 'failed' || node.state === 'aborted' || node.state === 'lost';
  return isBad
    ? { text: `✗\u00A0${node.state}`, color: ink.bad }
    : node.state === 'completed'
      ? '✓\u00A0completed'
      : node.state;
}

/** Of peers or healthy cards where there are any: a share of the data sheet's peak is a different thing, and low by nature. */
function worstRatio({ node }: NodeSummary): string {
  const metrics = node.performance?.metrics ?? [];
  const worst = worstOf(metrics);
  if (worst !== null) return `${printPercent(worst.ratio)} of expected`;
  const sheet = metrics.flatMap(({ basis, ratio }) => (basis === 'spec' && ratio !== null ? [ratio] : []));
  return sheet.length > 0 ? `${printPercent(Math.min(...sheet))} of sheet` : '–';
}

function findingsCell({ node }: NodeSummary): Cell {
  const findings = nodeFindings(node);
  const failures = findings.filter(({ level }) => level === 'failure').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  if (failures > 0) return { text: `✗\u00A0${failures + warnings}`, color: ink.bad };
  return warnings > 0 ? { text: `!\u00A0${warnings}`, color: ink.warn } : '–';
}
