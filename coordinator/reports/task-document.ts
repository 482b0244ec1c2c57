import { readMeasurement } from './facts/devices.ts';
import { taskHeadlines } from './facts/headline.ts';
import { nodeFindings } from './facts/node-findings.ts';
import { nodeName } from './facts/node-names.ts';
import { hardwareOf, summarise } from './facts/node-summary.ts';
import { printInstant } from './facts/print-number.ts';
import { taskVerdict } from './facts/verdict.ts';
import type { Paper } from './layout/paper.ts';
import type { TaskReport } from './report-model.ts';
import { annexSection } from './sections/annex.ts';
import { nodeSections } from './sections/node.ts';
import { verdictSection } from './sections/verdict.ts';

/** The report of one machine, first to last section. */
export function drawTask(paper: Paper, report: TaskReport): void {
  const { node, job, customer } = report;
  const measurement = readMeasurement(node);
  const devices = measurement?.devices ?? [];
  const findings = nodeFindings(node);
  const isComplete = verdictSection(paper, {
    kind: 'Node report',
    verdict: taskVerdict(report, findings),
    simulated: node.simulated || devices.some(({ simulated }) => simulated),
    hardware: hardwareOf(devices),
    facts: [
      ['Customer', customer.name],
      ['Job', job.name],
      ['Machine', nodeName(node)],
      ['Devices', summarise(node).kind ?? 'none measured'],
      ['State', node.state],
      measurement ? ['Measured', printInstant(measurement.result.endedAt)] : ['Ended', printInstant(node.endedAt)],
      ['Machine id', node.machineUuid],
      ['Address', node.machineIp],
      ['Tags', job.tags.join(', ') || null],
      ['Description', job.description || null],
    ],
    headlines: measurement ? taskHeadlines(devices) : [],
    findings,
  });
  nodeSections(paper, node, node.performance);
  annexSection(paper, isComplete ? [] : findings);
}
