import type { TaskReport } from './report-model.ts';
import { nodeFacts } from './facts/facts-line.ts';
import { hardwareOf, summarise } from './facts/node-summary.ts';
import { absentWords, gradesOf, gridOf, namesOfPlaces } from './facts/places.ts';
import { resultSetHash } from './facts/result-hash.ts';
import { nodeState } from './facts/run-state.ts';
import { summaryRows } from './facts/summary-rows.ts';
import type { Paper } from './layout/paper.ts';
import { annexHeading, annexSections } from './sections/annex.ts';
import { firstPage } from './sections/first-page.ts';
import { nodeAnnex, nodeSections } from './sections/node.ts';
import { findingsSection } from './sections/to-do.ts';
import { unmeasuredSection } from './sections/unmeasured.ts';

/** The report of one machine, first to last section. */
export function drawTask(paper: Paper, report: TaskReport): void {
  const { node } = report;
  const { judgement, performance } = node;
  const nodes = [summarise(node)];
  const devices = nodes.flatMap((one) => one.devices);
  const names = namesOfPlaces(nodes);
  const isComplete = firstPage(paper, {
    kind: 'Node report',
    judgement,
    state: nodeState(node),
    names,
    simulated: node.simulated || devices.some(({ simulated }) => simulated),
    hardware: hardwareOf(devices),
    facts: nodeFacts(report, nodes),
    rows: summaryRows({ nodes, judgement, network: null, performance }),
    grid: gridOf(nodes, gradesOf(judgement, nodes)),
    absent: absentWords(nodes, judgement, names),
    hash: resultSetHash(report),
  });
  if (!isComplete) findingsSection(paper, judgement, names);
  nodeSections(paper, node, { performance });
  unmeasuredSection(paper, judgement.not_measured, names);
  if (devices.length > 0) {
    annexHeading(paper);
    nodeAnnex(paper, node, judgement);
  }
  annexSections(paper, devices);
}
