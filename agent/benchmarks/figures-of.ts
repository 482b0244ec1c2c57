import { figureOf } from '../kernels/figure-of.ts';
import { detailsOf } from '../kernels/runner-events.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import { metricRank } from '../ui/metric-labels.ts';
import type { Figure } from './judge-figures.ts';

/** The last result of each metric of one device, in the summary's order. */
export function figuresOf(events: readonly RunnerEvent[], device: DeviceEvent): Figure[] {
  const figures = new Map<string, Figure>();
  for (const event of events) {
    if (event.event !== 'result' || event.device_id !== device.device_id) continue;
    const { metric, value } = event;
    const { core_share = null, absence = null } = detailsOf(event);
    figures.set(metric, { ...figureOf(device, event), core_share, absence: value === null ? absence : null });
  }
  return [...figures.values()].toSorted((a, b) => metricRank(a.metric) - metricRank(b.metric));
}
