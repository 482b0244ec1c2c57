import { notCompared } from '../../coordinator/contract/matrix-engine.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { DeviceSummary } from '../ui/run-summary.ts';
import type { Baseline } from './baseline.ts';
import { conditionFindings } from './judge-conditions.ts';
import { engineFindings } from './judge-engines.ts';
import { judgeDevice, valueOf } from './judge-figures.ts';
import type { Figure, Finding } from './judge-figures.ts';
import { judgePeerGroup } from './judge-peer-group.ts';
import { bandFindings } from './judge-spec-band.ts';

/** A device with what its own run said. */
export interface MeasuredDevice {
  device: DeviceEvent;
  events: readonly RunnerEvent[];
  figures: Figure[];
}

/** Shares by which a figure may be worse than in the baseline. */
const LIMITS = { warn: 0.03, bad: 0.05 } as const;

/** Units of what can be compared, and whether less is better. Power, temperature and energy differ from card to card of one make. */
const COMPARED_UNITS: Readonly<Record<string, 'rate' | 'latency'>> = {
  'GB/s': 'rate',
  'TFLOP/s': 'rate',
  ns: 'latency',
};

/**
 * Verdict of every figure of every device. The rules in their order: verification, absence, spread, core share, spec band,
 * peers in the node, baseline, both engines beside each other, then what happened to the card during the run.
 */
export function judgeNode(devices: readonly MeasuredDevice[], baseline: Baseline | null): DeviceSummary[] {
  const peers = peerFindings(devices);
  return devices.map((measured) => {
    const { device, figures, events } = measured;
    const findings = [
      ...bandFindings(device, figures, events),
      ...(peers.get(device.device_id) ?? []),
      ...(baseline === null ? [] : baselineFindings(measured, baseline)),
      ...engineFindings(events),
      ...conditionFindings(events, figures),
    ];
    return judgeDevice(device, figures, findings);
  });
}

/** Cards of one model beside their median; with two, nobody can say which of them is wrong, so both are marked. */
function peerFindings(devices: readonly MeasuredDevice[]): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>(devices.map(({ device }) => [device.device_id, []]));
  const cards = devices.filter(({ device }) => device.vendor !== 'cpu');
  for (const model of Map.groupBy(cards, ({ device }) => device.name).values()) {
    const metrics = new Set(model.flatMap(({ figures }) => figures.filter(isCompared).map((figure) => figure.metric)));
    for (const metric of metrics) {
      const having = model.flatMap(({ device, figures }) => {
        const figure = figures.find((one) => one.metric === metric);
        const value = figure === undefined ? null : valueOf(figure);
        const { device_id } = device;
        return figure === undefined || value === null || value <= 0 ? [] : [{ device_id, figure, value }];
      });
      const better = having.some(({ figure }) => isLatency(figure)) ? 'lower' : 'higher';
      for (const { device_id, finding } of judgePeerGroup(having, better)) found.get(device_id)?.push(finding);
    }
  }
  return found;
}

function baselineFindings({ device, figures }: MeasuredDevice, baseline: Baseline): Finding[] {
  const model = baseline.models.get(device.name);
  if (model === undefined || model.simulated !== device.simulated) return [];
  return figures.filter(isCompared).flatMap((figure): Finding[] => {
    const { metric, engine } = figure;
    const [value, before] = [valueOf(figure), model.figures.get(metric)];
    if (value === null || before === undefined || value <= 0 || before.value <= 0) return [];
    if (engine !== null && engine !== before.engine) {
      const reason = notCompared(`the baseline ${baseline.path}`, engine, before.engine);
      return [{ metric, verdict: 'ok', rule: 'baseline', reason, refused: true }];
    }
    const worse = 1 - (isLatency(figure) ? before.value / value : value / before.value);
    const words = `${(worse * 100).toFixed(1)} % worse than in the baseline ${baseline.path}`;
    const verdict = worse > LIMITS.bad ? 'bad' : worse > LIMITS.warn ? 'warn' : 'ok';
    return [{ metric, verdict, rule: 'baseline', reason: verdict === 'ok' ? null : words }];
  });
}

const isCompared = (figure: Figure): boolean => COMPARED_UNITS[figure.unit] !== undefined;
const isLatency = (figure: Figure): boolean => COMPARED_UNITS[figure.unit] === 'latency';
