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
import { togetherSection } from './together.ts';

/**
 * One node in full: method, checks, health, devices with spread, matrix products, alone and together, links, expectation, power,
 * carbon, inventory.
 */
export function nodeSections(paper: Paper, node: ReportNode, performance: ReportNode['performance']): void {
  const measurement = readMeasurement(node);
  const devices = measurement?.devices ?? [];
  if (measurement) methodSection(paper, node, measurement);
  else if (heading(paper, 'What was measured', 40))
    paragraph(paper, 'Nothing: the machine delivered no QuickMark results.');
  checksSection(paper, devices);
  if (measurement) healthSection(paper, measurement);
  devicesSection(paper, devices);
  matrixProductsSection(paper, devices);
  togetherSection(paper, devices);
  if (measurement) linksSection(paper, devices, measurement.matrix);
  if (measurement) expectationSection(paper, performance);
  powerSection(paper, devices);
  footprintSection(paper, node);
  inventorySection(paper, node.inventory);
}
