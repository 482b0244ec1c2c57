import { notCompared, otherArithmetic } from '../../coordinator/figures/compare-engines.ts';
import type { TogetherFigure } from './measure-turns.ts';
import { isCompared, isLatency, judgeDevices } from '../../coordinator/figures/judge-devices.ts';
import { limitsOf } from '../../coordinator/figures/comparison-limits.ts';
import { otherLoad, sameLoad } from '../../coordinator/figures/compare-loads.ts';
import { valueOf, type Finding } from '../../coordinator/figures/judge-figure.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { DeviceSummary } from '../run/run-summary.ts';
import type { Baseline } from './baseline.ts';
import { judgeDevice, type Figure } from './judge-figures.ts';

/** A device with the events of its own run. */
export interface MeasuredDevice {
  device: DeviceEvent;
  events: readonly RunnerEvent[];
  figures: Figure[];
  /** metric -> all GPUs at once beside this one alone; absent or empty without other GPUs */
  together?: Readonly<Record<string, TogetherFigure>>;
}

/** How much worse than the baseline a figure is said to be, though healthy cards of its model may be. */
const WORTH_SAYING = 0.03;

/** Verdict of every figure of every device, by the rules of `judgeDevices` and the baseline. */
export function judgeNode(devices: readonly MeasuredDevice[], baseline: Baseline | null): DeviceSummary[] {
  const measured = devices.map((one) => ({ ...one, details: detailsOf(one.events) }));
  const findings = judgeDevices(measured, (one) => (baseline === null ? [] : baselineFindings(one, baseline)));
  return devices.map(({ device, figures }, index) => judgeDevice(device, figures, findings[index] ?? []));
}

/** The details of a metric's last result. */
const detailsOf =
  (events: readonly RunnerEvent[]) =>
  (metric: string): Record<string, unknown> => {
    const result = events.findLast((event) => event.event === 'result' && event.metric === metric);
    return result?.event === 'result' ? result.details : {};
  };

function baselineFindings({ device, figures }: MeasuredDevice, baseline: Baseline): Finding[] {
  const model = baseline.models.get(device.name);
  if (model === undefined || model.simulated !== device.simulated) return [];
  return figures.filter(isCompared).flatMap((figure): Finding[] => {
    const { metric, engine } = figure;
    const own = model.by_device.get(device.device_id)?.get(metric);
    const [value, before] = [valueOf(figure), own ?? model.figures.get(metric)];
    if (value === null || before === undefined || value <= 0 || before.value <= 0) return [];
    if (engine !== null && engine !== before.engine) {
      const reason = notCompared(`the baseline ${baseline.path}`, engine, before.engine);
      return [{ metric, verdict: 'ok', rule: 'baseline', reason, refused: true }];
    }
    const { arithmetic } = figure;
    if (arithmetic && arithmetic !== before.arithmetic) {
      const reason = otherArithmetic(`the baseline ${baseline.path}`, arithmetic, before.arithmetic);
      return [{ metric, verdict: 'ok', rule: 'baseline', reason, refused: true }];
    }
    const load = figure.load ?? null;
    if (!sameLoad(metric, load, before.load)) {
      const reason = otherLoad(`the baseline ${baseline.path}`, load, before.load);
      return [{ metric, verdict: 'ok', rule: 'baseline', reason, refused: true }];
    }
    const worse = 1 - (isLatency(figure) ? before.value / value : value / before.value);
    const limits = limitsOf(metric, load, own === undefined ? 'two' : 'itself');
    const words = `${(worse * 100).toFixed(1)} % worse than in the baseline ${baseline.path}`;
    const verdict = worse > limits.bad ? 'bad' : worse > limits.warn ? 'warn' : 'ok';
    const reason = verdict !== 'ok' || worse > WORTH_SAYING ? words : null;
    return [{ metric, verdict, rule: 'baseline', reason }];
  });
}
