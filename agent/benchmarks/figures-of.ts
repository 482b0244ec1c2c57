import { figureOf } from '../kernels/figure-of.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import { metricRank } from '../ui/metric-labels.ts';
import type { Figure } from './judge-figures.ts';

/** The last result of each metric of one device, in the summary's order. */
export function figuresOf(events: readonly RunnerEvent[], device: DeviceEvent): Figure[] {
  const figures = new Map<string, Figure>();
  for (const event of events) {
    if (event.event !== 'result' || event.device_id !== device.device_id) continue;
    const { metric, value, details } = event;
    const core_share = typeof details['core_share'] === 'number' ? details['core_share'] : null;
    const absence = details['absence'] === 'hardware' || details['absence'] === 'failed' ? details['absence'] : null;
    figures.set(metric, { ...figureOf(device, event), core_share, absence: value === null ? absence : null });
  }
  return [...figures.values()].toSorted((a, b) => metricRank(a.metric) - metricRank(b.metric));
}
