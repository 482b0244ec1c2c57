import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import type { ReportNode } from '../report-model.ts';
import { figureOf, readMeasurement, type Device } from './devices.ts';
import { nodeName } from './node-names.ts';

export interface NodeSummary {
  name: string;
  node: ReportNode;
  devices: Device[];
  /** model and count, e.g. "8 × NVIDIA H100"; null without a measurement */
  kind: string | null;
}

export function summarise(node: ReportNode): NodeSummary {
  const devices = readMeasurement(node)?.devices ?? [];
  const models = [...new Set(devices.map(({ model }) => model))];
  const kinds = models.map((model) => `${devices.filter((device) => device.model === model).length} × ${model}`);
  return { name: nodeName(node), node, devices, kind: kinds.length > 0 ? kinds.join(', ') : null };
}

/**
 * One metric over all devices of a node: the sum, or for temperature the maximum. Null if a device lacks the figure or has
 * computed wrong results: a partial sum would look like a slow node.
 */
export function nodeValue(devices: readonly Device[], metric: QuickMarkMetric): number | null {
  const figures = devices.map((device) => figureOf(device, metric));
  const values = figures.flatMap((figure) =>
    figure && figure.value !== null && figure.verified !== false ? [figure.value] : [],
  );
  if (values.length === 0 || values.length < devices.length) return null;
  if (metric === 'temperature_centigrade') return Math.max(...values);
  return values.reduce((sum, value) => sum + value, 0);
}

export type Hardware = 'gpu' | 'cpu' | 'mixed' | 'none';

export function hardwareOf(devices: readonly Device[]): Hardware {
  const cpus = devices.filter(({ vendor }) => vendor === 'cpu').length;
  if (devices.length === 0) return 'none';
  return cpus === 0 ? 'gpu' : cpus === devices.length ? 'cpu' : 'mixed';
}
