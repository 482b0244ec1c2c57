import type { Judgement } from '../../contract/judgement.ts';
import { readMeasurement } from '../facts/devices.ts';
import { nameMetrics } from '../facts/metrics.ts';
import { heading, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import type { ReportNode } from '../report-model.ts';
import { checksSection } from './checks.ts';
import { devicesSection } from './devices.ts';
import { expectationSection } from './expectation.ts';
import { footprintSection } from './footprint.ts';
import { healthSection } from './health.ts';
import { inventorySection } from './inventory.ts';
import { linksSection } from './links.ts';
import { matrixProductsSection } from './matrix-products.ts';
import { methodSection } from './method.ts';
import { powerSection } from './power.ts';
import { sensorsSection } from './sensors.ts';
import { togetherSection } from './together.ts';

interface Beside {
  performance: ReportNode['performance'];
  /** what a job of one node has between copies and comparison */
  between?: () => void;
}

/** One node in full: devices with spread, alone and together, health, copies, expectation, power, carbon, inventory. */
export function nodeSections(paper: Paper, node: ReportNode, { performance, between }: Beside): void {
  const measurement = readMeasurement(node);
  const devices = measurement?.devices ?? [];
  if (!measurement && heading(paper, 'What was measured', 40))
    paragraph(paper, 'Nothing: the machine delivered no QuickMark results.');
  remarksSection(paper, node);
  devicesSection(paper, devices);
  togetherSection(paper, devices);
  if (measurement) healthSection(paper, measurement);
  if (measurement) linksSection(paper, devices, measurement.matrix);
  between?.();
  if (measurement) expectationSection(paper, performance);
  powerSection(paper, devices);
  footprintSection(paper, node);
  inventorySection(paper, node.inventory);
}

/** How one node was measured and judged. */
export function nodeAnnex(paper: Paper, node: ReportNode, judgement: Judgement): void {
  const measurement = readMeasurement(node);
  if (!measurement) return;
  const { devices } = measurement;
  methodSection(paper, node, measurement);
  checksSection(paper, devices, judgement);
  matrixProductsSection(paper, devices);
  sensorsSection(paper, devices);
}

function remarksSection(paper: Paper, node: ReportNode): void {
  const remarks = remarksOf(node);
  if (remarks.length === 0 || !heading(paper, 'Remarks', 30)) return;
  for (const text of remarks) paragraph(paper, text);
}

/** What a reader of a node should know without having to act on it: results beside the figures, other work, mixed sums. */
export function remarksOf(node: ReportNode): string[] {
  const measurement = readMeasurement(node);
  const stored = node.results.find((one) => one.benchmarkId === 'quick_mark' && one.results !== null);
  const contended = (measurement?.devices ?? []).filter(({ run }) => run?.contended === true).map(({ name }) => name);
  return [
    ...node.results.flatMap(({ benchmarkName: name, state, errorMessage, late }) => {
      const because = errorMessage ?? 'no reason was given';
      if (state === 'failed') return [`${name} failed: ${because}`];
      if (state === 'skipped') return [`${name} was skipped: ${because}`];
      return late ? [`${name} arrived late, after the machine or the job had been given up; it is included.`] : [];
    }),
    ...(stored && !measurement ? ['The QuickMark results are stored, but do not have the shape of this version.'] : []),
    ...(contended.length > 0
      ? [
          `${contended.join(', ')}: other work ran on the machine during the measurement, so the figures may be too low.`,
        ]
      : []),
    ...(measurement?.notes ?? []).map((text) => `${nameMetrics(text)}.`),
  ];
}
