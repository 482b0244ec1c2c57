import { readMeasurement } from '../facts/devices.ts';
import { heading, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import type { ReportNode } from '../report-model.ts';
import { devicesSection } from './devices.ts';
import { expectationSection } from './expectation.ts';
import { inventorySection } from './inventory.ts';
import { methodSection } from './method.ts';
import { powerSection } from './power.ts';

/** One node in full: how it was measured, every device with spread, expectation, power, inventory. */
export function nodeSections(paper: Paper, node: ReportNode, performance: ReportNode['performance']): void {
  const measurement = readMeasurement(node);
  const devices = measurement?.devices ?? [];
  if (measurement) methodSection(paper, node, measurement);
  else if (heading(paper, 'What was measured', 40))
    paragraph(paper, 'Nothing: the machine delivered no QuickMark results.');
  devicesSection(paper, devices);
  if (measurement) expectationSection(paper, performance);
  powerSection(paper, devices);
  inventorySection(paper, node.inventory);
}
