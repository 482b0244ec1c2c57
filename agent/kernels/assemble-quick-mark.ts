import { gemmMetrics, type MatrixEngine } from '../../coordinator/contract/matrix-engine.ts';
import {
  additiveMetrics,
  type DeviceMetric,
  type GemmFigure,
  quickMarkMetrics,
  type QuickMarkTestResult,
  type QuickMarkAggregate,
} from '../../coordinator/contract/quick-mark.ts';
import { MOST_STRETCHES, type SensorSeries } from '../../coordinator/contract/sensor-series.ts';
import { deviceNames } from '../../coordinator/figures/device-name.ts';
import { gemmFacts } from './gemm-facts.ts';
import { detailsOf, type DeviceEvent, type ResultEvent, type RunnerEvent } from './runner-events.ts';
import { specShare } from './spec-share.ts';
import {
  aggregatedMetrics,
  aggregateFigures,
  mixesProcessorsWithGpus,
} from '../../coordinator/figures/aggregate-figures.ts';

/**
 * Builds the `quick_mark.test_results[]` entry of one device from the events of its run. It has every figure of the
 * interface; a null one has its reason under `unavailable`. Further metrics of the runner (clock, FMA probe, fp64,
 * copy) are in `details`. A figure whose verification failed is never passed on, whatever the runner reports.
 * @param notReported the reason for figures that the runner did not report
 * @throws RangeError when the events hold no device event for `deviceId`
 */
export function assembleQuickMark(
  events: readonly RunnerEvent[],
  deviceId: string,
  notReported = 'the runner ended before it reported this figure',
): QuickMarkTestResult {
  const device = events.find((event) => event.event === 'device' && event.device_id === deviceId);
  if (device?.event !== 'device') throw new RangeError(`the runner said nothing about device ${deviceId}`);
  const results = new Map<string, ResultEvent>();
  for (const event of events) {
    if (event.event === 'result' && event.device_id === deviceId) results.set(event.metric, event);
  }
  const figure = (metric: DeviceMetric): number | null => trustedValue(results.get(metric));
  const gemm = gemmEntry(device, results);
  const readings = sensorSeriesOf(events, deviceId);
  // Older runners do not report these metrics.
  const additive = additiveMetrics.filter((metric) => results.has(metric));
  const missing = [...quickMarkMetrics, ...additive].filter((metric) => figure(metric) === null);
  return {
    gpu_id: device.device_id,
    gpu_model: device.name,
    fp32_tflops: figure('fp32_tflops'),
    fp32_cuda_core_tflops: figure('fp32_cuda_core_tflops'),
    ...Object.fromEntries(additive.map((metric) => [metric, figure(metric)])),
    fp16_tflops: figure('fp16_tflops'),
    bf16_tflops: figure('bf16_tflops'),
    fp8_tflops: figure('fp8_tflops'),
    mixed_precision_tflops: figure('mixed_precision_tflops'),
    memory_bandwidth_gbs: figure('memory_bandwidth_gbs'),
    l2_bandwidth_gbs: figure('l2_bandwidth_gbs'),
    host_to_device_bandwidth_gbs: figure('host_to_device_bandwidth_gbs'),
    device_to_host_bandwidth_gbs: figure('device_to_host_bandwidth_gbs'),
    kernel_launch_overhead_us: figure('kernel_launch_overhead_us'),
    power_consumption_watts: figure('power_consumption_watts'),
    temperature_centigrade: figure('temperature_centigrade'),
    energy_consumption_wh: figure('energy_consumption_wh'),
    vendor: device.vendor,
    engine: engineOf(gemm),
    simulated: device.simulated,
    unavailable: Object.fromEntries(missing.map((metric) => [metric, reasonOf(results.get(metric), notReported)])),
    details: {
      ...detailsByMetric(device, results),
      device: aboutDevice(device),
      run: aboutRun(events),
      ...(readings === null ? {} : { readings }),
    },
    ...(Object.keys(gemm).length === 0 ? {} : { gemm }),
  };
}

const trustedValue = (result: ResultEvent | undefined): number | null =>
  result === undefined || result.verified === false ? null : result.value;

function reasonOf(result: ResultEvent | undefined, notReported: string): string {
  if (result === undefined) return notReported;
  return result.reason ?? 'the result did not pass its verification';
}

function detailsByMetric(device: DeviceEvent, results: ReadonlyMap<string, ResultEvent>): Record<string, unknown> {
  return Object.fromEntries(
    [...results].map(([metric, result]) => [
      metric,
      {
        value: trustedValue(result),
        unit: result.unit,
        stats: result.stats,
        verified: result.verified,
        engine: result.engine,
        benchmark: result.benchmark,
        ...result.details,
        ...specShare(device, result),
      },
    ]),
  );
}

const aboutDevice = (device: DeviceEvent): Record<string, unknown> => ({
  backend: device.backend,
  pci_id: device.pci_id,
  memory_bytes: device.memory_bytes,
  ...device.attributes,
});

/** Null without a summary, if the run broke off. */
function aboutRun(events: readonly RunnerEvent[]): Record<string, unknown> | null {
  const summary = events.find((event) => event.event === 'summary');
  if (summary?.event !== 'summary') return null;
  const { seconds, exit_code, contended, contention_ratio } = summary;
  return { seconds, exit_code, contended, contention_ratio };
}

/** `test_results[].gemm`: further facts about each measured matrix product of a device. Empty if none was measured. */
function gemmEntry(device: DeviceEvent, results: ReadonlyMap<string, ResultEvent>): Record<string, GemmFigure> {
  const figures = gemmMetrics.flatMap((metric): [string, GemmFigure][] => {
    const result = results.get(metric);
    const facts = result === undefined ? null : gemmFacts(device, result);
    if (facts === null || facts.engine === null) return [];
    const { engine, fraction_of_spec_peak, spec_peak_tflops, arithmetic, heuristic_first_tflops, load, burst } = facts;
    const { settled, power } = result === undefined ? {} : detailsOf(result);
    const figure: GemmFigure = {
      engine,
      fraction_of_spec_peak,
      spec_peak_tflops,
      ...(arithmetic ? { arithmetic } : {}),
      ...(heuristic_first_tflops == null ? {} : { heuristic_first_tflops }),
      ...(load ? { load } : {}),
      ...(burst ? { burst } : {}),
      ...(settled === undefined ? {} : { settled }),
      ...(power === undefined ? {} : { joules_per_tflop: power.joules_per_tflop }),
    };
    return [[metric, figure]];
  });
  return Object.fromEntries(figures);
}

/** The engine of all products; null if they come from both, or if there are none. */
function engineOf(gemm: Record<string, GemmFigure>): MatrixEngine | null {
  const [engine, ...others] = new Set(Object.values(gemm).map((figure) => figure.engine));
  return engine === undefined || others.length > 0 ? null : engine;
}

/** The sensor readings of a device over time; null if there are none. */
function sensorSeriesOf(events: readonly RunnerEvent[], deviceId: string): SensorSeries | null {
  const readings = events.filter((event) => event.event === 'telemetry').filter((one) => one.device_id === deviceId);
  if (readings.length === 0) return null;
  const column = (of: (reading: (typeof readings)[number]) => number | null, digits: number) =>
    readings.map((reading) => {
      const value = of(reading);
      return value === null ? null : Number(value.toFixed(digits));
    });
  return {
    seconds: readings.map(({ t_ms }) => Number((t_ms / 1000).toFixed(2))),
    power_watts: column((reading) => reading.power_watts, 1),
    temperature_celsius: column((reading) => reading.temperature_celsius, 1),
    clock_mhz: column((reading) => reading.clock_mhz, 0),
    throttled: stretchesOf(readings.map(({ throttle }) => throttle ?? [])),
  };
}

/**
 * Consecutive readings with the same throttle reasons form one interval; readings without reasons form none. If the
 * reasons change too often, `step` neighbours count as one with the reasons of all, since an interval takes more room
 * than a reading.
 */
function stretchesOf(reasons: readonly (readonly string[])[], step = 1): SensorSeries['throttled'] {
  const stretches: SensorSeries['throttled'] = [];
  for (let first = 0; first < reasons.length; first += step) {
    const group = reasons.slice(first, first + step);
    const these = [...new Set(group.flat())];
    if (these.length === 0) continue;
    const last = first + group.length - 1;
    const before = stretches.at(-1);
    if (before !== undefined && before.last === first - 1 && before.reasons.join() === these.join()) before.last = last;
    else stretches.push({ first, last, reasons: these });
  }
  return stretches.length > MOST_STRETCHES ? stretchesOf(reasons, 2 * step) : stretches;
}

/** Reasons of null figures: metric -> the devices that lack it, with their reasons. */
type AggregateWithReasons = QuickMarkAggregate & { unavailable: Record<string, string> };

/**
 * Computes `quick_mark.aggregate_results` of a node; with one device it equals that device's figures.
 * @throws RangeError without devices, or for processors mixed with GPUs, whose figures cannot be added
 */
export function aggregate(results: readonly QuickMarkTestResult[]): AggregateWithReasons {
  if (results.length === 0) throw new RangeError('there are no results to aggregate');
  if (mixesProcessorsWithGpus(results.map((result) => result.vendor))) {
    throw new RangeError('results of processors and of GPUs cannot be aggregated');
  }
  const names = deviceNames(results);
  const unavailable = aggregatedMetrics.flatMap((metric) => {
    const missing = results.filter((result) => result[metric] === null);
    const reasons = missing.map((result) => {
      const [name = '', reason = 'not measured'] = [names[results.indexOf(result)], result.unavailable[metric]];
      return reason.startsWith(`${name}: `) || reason.startsWith(`${name} `) ? reason : `${name}: ${reason}`;
    });
    return reasons.length === 0 ? [] : [[metric, reasons.join('; ')] as const];
  });
  return { ...aggregateFigures(results), unavailable: Object.fromEntries(unavailable) };
}
