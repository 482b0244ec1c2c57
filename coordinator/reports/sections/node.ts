import type { Judgement } from '../../contract/judgement.ts';
import { readMeasurement } from '../facts/devices.ts';
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
import { remarksSection } from './remarks.ts';
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
