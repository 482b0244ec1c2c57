import type { Grade, Judgement } from '../../contract/judgement.ts';
import { worstOf } from '../../figures/reference-words.ts';
import { headlineMetrics } from '../facts/headline.ts';
import { metricInfo } from '../facts/metrics.ts';
import { nodeStandings } from '../facts/peers.ts';
import { nodeValue, type NodeSummary } from '../facts/node-summary.ts';
import type { PlaceGrades } from '../facts/places.ts';
import { printCount, printNumber, printPercent } from '../facts/print-number.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import { gradeInk, gradeWords } from '../layout/mark.ts';
import type { Paper } from '../layout/paper.ts';
import { heightOf, picture } from '../layout/picture.ts';
import { table, type Cell, type Column } from '../layout/table.ts';
import { peerStrips, type PeerRow } from './peer-strips.ts';

/** How far the nodes' figures lie from each other. */
export function distributionSection(paper: Paper, nodes: readonly NodeSummary[], judgement: Judgement): void {
  const perMetric = nodeStandings(nodes, judgement).filter(({ standings }) => standings.length > 0);
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
  note(paper, 'Sums over the devices of a node. Matrix products are compared only with those of the same engine.');
}

interface Judged {
  judgement: Judgement;
  grades: PlaceGrades;
}
const rank: Readonly<Record<Grade, number>> = { bad: 0, check: 1, not_measured: 2, good: 3 };

/** One row per node, worst first: verdict, state, hardware, the three numbers, the lowest comparison, findings. */
export function nodesSection(paper: Paper, nodes: readonly NodeSummary[], { judgement, grades }: Judged): void {
  if (!heading(paper, `The ${printCount(nodes.length, 'node')}`, 60)) return;
  if (nodes.length === 0) {
    paragraph(paper, 'No machine registered for this job.');
    return;
  }
  const metrics = headlineMetrics(nodes.flatMap(({ devices }) => devices));
  const kinds = new Set(nodes.flatMap(({ kind }) => kind ?? []));
  const columns: Column[] = [
    { title: '', share: 5, align: 'right' },
    { title: 'Node', share: kinds.size > 1 ? 24 : 36, maxLines: 1 },
    { title: 'Verdict', share: 13 },
    { title: 'State', share: 13, maxLines: 1 },
    // Printed once below the heading if all nodes are alike.
    ...(kinds.size > 1 ? [{ title: 'Devices', share: 22, maxLines: 1 }] : []),
    ...metrics.map((metric): Column => ({
      title: `${metricInfo[metric].short} ${metricInfo[metric].unit}`,
      share: 12,
      align: 'right',
    })),
    { title: 'Lowest comparison', share: 15, align: 'right' },
    { title: 'Findings', share: 12, align: 'right' },
  ];
  if (kinds.size === 1) paragraph(paper, `Every measured node has ${[...kinds].join('')}.`);
  table(
    paper,
    columns,
    nodes
      .map((summary, index) => ({ summary, index, grade: grades.node(index) }))
      .toSorted((a, b) => rank[a.grade] - rank[b.grade])
      .map(({ summary, index, grade }): Cell[] => [
        String(index),
        summary.name,
        { text: gradeWords[grade], color: gradeInk[grade], font: grade === 'good' ? 'regular' : 'bold' },
        summary.node.state,
        ...(kinds.size > 1 ? [summary.kind ?? '–'] : []),
        ...metrics.map((metric) => printNumber(nodeValue(summary.devices, metric))),
        worstRatio(summary),
        String(judgement.findings.filter((finding) => finding.nodes.includes(index)).length || '–'),
      ]),
  );
  note(
    paper,
    'Worst first; numbers from 0 in the order of arrival. Figures are sums over the devices of a node, of medians; a dash where a device has no valid figure. Each node has a report of its own with counts and spread.',
  );
}

/** For a label in the chart; the table below has the full name. */
const shortened = (name: string): string => (name.length > 30 ? `${name.slice(0, 29)}…` : name);

/** Of peers or healthy cards where there are any: a share of the data sheet's peak is a different thing, and low by nature. */
function worstRatio({ node }: NodeSummary): string {
  const metrics = node.performance?.metrics ?? [];
  const worst = worstOf(metrics);
  if (worst !== null) return `${printPercent(worst.ratio)} of expected`;
  const sheet = metrics.flatMap(({ basis, ratio }) => (basis === 'spec' && ratio !== null ? [ratio] : []));
  return sheet.length > 0 ? `${printPercent(Math.min(...sheet))} of sheet` : '–';
}
