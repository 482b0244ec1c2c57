import type { BandwidthCell } from '../contract/bandwidth-matrix.ts';
import { arithmeticOf } from '../contract/matrix-engine.ts';
import type { RuledVerdict } from '../contract/figure-verdict.ts';
import {
  deviceMetrics,
  isDeviceMetric,
  type QuickMarkAggregate,
  type QuickMarkResults,
  type QuickMarkTestResult,
} from '../contract/quick-mark.ts';
import { aggregateFigures, engineBehind, mixesProcessorsWithGpus } from './aggregate-figures.ts';
import { checkedLoads, loadBehind } from './compare-loads.ts';
import { detailFigures } from './detail-figures.ts';
import { doubtOfName, gpuPeak, isPart, plainName } from './gpu-peaks.ts';
import { judgeDevices, type MeasuredFigures } from './judge-devices.ts';
import { cpuQuota, type Finding, isWorse, type JudgedFigure, ownFinding, worstFinding } from './judge-figure.ts';
import { judgePairs } from './judge-pairs.ts';
import type { JudgedDevice } from './judge-spec-band.ts';
import { healthOfStored, withHealth } from './node-health.ts';
import { cutWords } from './cut-words.ts';

/**
 * An upload as it is stored: its figures as sent, the sums computed here, and as verdicts the worse of the agent's own and
 * those of the same rules applied again here. Deterministic, and applying it to its own output changes nothing.
 */
export const judgeResults = (results: QuickMarkResults): QuickMarkResults => judgedBeside(withHealth(results));

/** Figures and sums of results whose health has been judged. */
function judgedBeside(results: QuickMarkResults): QuickMarkResults {
  const measured = results.test_results.map(judgedDevice);
  const findings = judgeDevices(measured);
  const test_results = results.test_results.map((device, index) => {
    const { unranked: _theirs, ...figures } = device;
    const found = findings[index] ?? [];
    const unranked = whyUnranked(device, measured[index], found);
    return {
      ...figures,
      ...(figures.gemm === undefined ? {} : { gemm: checkedLoads(figures) }),
      verdicts: verdictsOf(device, measured[index], found),
      ...(unranked === null ? {} : { unranked }),
    };
  });
  const sums = sumsOf(test_results, results.aggregate_results);
  const { gpu_bandwidth_matrix: cells } = sums;
  const aggregate_results =
    cells === undefined
      ? sums
      : {
          ...sums,
          gpu_bandwidth_matrix: judgedCells(
            measured.map(({ device }) => device),
            cells,
          ),
        };
  return { ...results, test_results, aggregate_results };
}

/** Copies between the devices with the worse of the agent's verdict and that of the same rules here. */
function judgedCells(devices: readonly JudgedDevice[], cells: readonly BandwidthCell[]): BandwidthCell[] {
  const found = judgePairs(devices, cells);
  return cells.map((cell) => {
    const ours = found.get(cell);
    if (ours === undefined || (cell.verdict !== undefined && !isWorse(ours.verdict, cell.verdict))) return cell;
    return { ...cell, verdict: ours.verdict, reason: cutWords(`${BY_COORDINATOR}${ours.reason}`, 400) };
  });
}

/**
 * Judges a stored result again, since those of earlier versions were not judged on arrival. A large one keeps only the figures
 * that have a field, so the reason not to compare a device may be in what is missing: a stored `unranked` stays.
 */
export function judgeStored(results: QuickMarkResults): QuickMarkResults {
  const judged = judgedBeside(healthOfStored(results));
  const test_results = judged.test_results.map((device, index) => {
    const unranked = device.unranked ?? results.test_results[index]?.unranked;
    return unranked === undefined ? device : { ...device, unranked };
  });
  return { ...judged, test_results };
}

/** The sums over the devices, with what only the upload contains: the copies between them, and why a sum is missing. */
function sumsOf(devices: readonly QuickMarkTestResult[], uploaded: QuickMarkAggregate): QuickMarkAggregate {
  const { gpu_bandwidth_matrix, unavailable } = uploaded;
  // Processors and GPUs are never added up, so an agent sends no sums over both either.
  const sums = mixesProcessorsWithGpus(devices.map(({ vendor }) => vendor)) ? noSums : aggregateFigures(devices);
  return {
    ...sums,
    ...(unavailable === undefined ? {} : { unavailable }),
    ...(gpu_bandwidth_matrix === undefined ? {} : { gpu_bandwidth_matrix }),
  };
}

const noSums: QuickMarkAggregate = {
  gpu_id: 'aggregate',
  fp32_tflops: null,
  fp16_tflops: null,
  bf16_tflops: null,
  memory_bandwidth_gbs: null,
  power_consumption_watts: null,
  temperature_centigrade: null,
};

function verdictsOf(
  device: QuickMarkTestResult,
  measured: MeasuredFigures | undefined,
  findings: readonly Finding[],
): Record<string, RuledVerdict> {
  const ours = (measured?.figures ?? []).map((figure) => {
    const all: [Finding, ...Finding[]] = [
      ownFinding(figure, device.vendor),
      ...findings.filter(({ metric }) => metric === figure.metric),
    ];
    const worst = worstFinding(all);
    const theirs = device.verdicts?.[figure.metric];
    if (theirs && !isWorse(worst.verdict, theirs.verdict)) return [figure.metric, theirs] as const;
    const words =
      worst.verdict === 'ok'
        ? `passed: ${[...new Set(all.map(({ rule }) => rule))].join(', ')}`
        : `${worst.rule}: ${worst.reason ?? 'tripped'}`;
    const rule = cutWords(`${BY_COORDINATOR}${words}`, 400);
    return [figure.metric, { verdict: worst.verdict, rule }] as const;
  });
  return { ...device.verdicts, ...Object.fromEntries(ours) };
}

const BY_COORDINATOR = 'judged by the coordinator: ';

/** Why a device is not compared with others. One that is only slow, or noisy, is compared and ranks low. */
function whyUnranked(
  device: QuickMarkTestResult,
  measured: MeasuredFigures | undefined,
  findings: readonly Finding[],
): string | null {
  if (device.simulated || measured === undefined) return null;
  const doubt = doubtOfName(device.vendor, device.gpu_model);
  if (doubt !== null) return doubt;
  if (isPart(measured.device) && gpuPeak(device.gpu_model) !== null)
    return 'it is a partition of a card under the name of the whole card';
  const found =
    findings.find(({ beyond }) => beyond === true) ??
    measured.figures
      .filter(({ metric, verified }) => verified === false && isFigure(device, metric))
      .map((figure) => ownFinding(figure, device.vendor))[0];
  return found === undefined ? null : cutWords(`${found.metric}: ${found.reason ?? found.rule}`, 400);
}

/** Whether the upload has a value for `metric`: agents omit figures that failed their verification. */
const isFigure = (device: QuickMarkTestResult, metric: string): boolean =>
  (isDeviceMetric(metric) && device[metric] != null) ||
  detailFigures(device).some((figure) => figure.metric === metric);

type Facts = Record<string, unknown>;

/** A device of an upload as the rules read it: its `details` say how each figure was measured. */
function judgedDevice(device: QuickMarkTestResult): MeasuredFigures {
  const details = (metric: string): Facts => factsOf(device.details[metric]);
  return {
    device: {
      device_id: device.gpu_id,
      name: plainName(device.gpu_model),
      vendor: device.vendor,
      simulated: device.simulated,
      attributes: details('device'),
    },
    figures: [
      ...deviceMetrics.flatMap((metric) => {
        const value = device[metric];
        return value === undefined ? [] : [figureOf(device, metric, value, details(metric))];
      }),
      ...detailFigures(device).map(({ metric, value, record }) => figureOf(device, metric, value, record)),
    ],
    details,
    together: device.together ?? {},
  };
}

function figureOf(device: QuickMarkTestResult, metric: string, value: number | null, details: Facts): JudgedFigure {
  const engine = engineBehind(device, metric);
  const { verified } = details;
  return {
    metric,
    value,
    unit: unitOf(metric),
    reason: device.unavailable[metric] ?? null,
    cv: numberOf(factsOf(details['stats'])['cv']),
    verified: typeof verified === 'boolean' ? verified : null,
    core_share: numberOf(details['core_share']),
    cpu_quota: device.vendor === 'cpu' ? cpuQuota(factsOf(device.details['device'])) : null,
    engine: engine === 'mixed' ? null : engine,
    arithmetic: arithmeticOf(metric, details),
    load: loadBehind(device, metric),
  };
}

const UNITS: readonly [suffix: string, unit: string][] = [
  ['_tflops', 'TFLOP/s'],
  ['_gbs', 'GB/s'],
  ['_us', 'us'],
  ['_ns', 'ns'],
  ['_ghz', 'GHz'],
  ['_watts', 'W'],
  ['_centigrade', '°C'],
  ['_wh', 'Wh'],
];
const unitOf = (metric: string): string => UNITS.find(([suffix]) => metric.endsWith(suffix))?.[1] ?? '';

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const factsOf = (value: unknown): Facts =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Facts) : {};
