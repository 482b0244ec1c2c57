import { CORE_SHARE_MIN, type QuickMarkMetric } from '../../contract/quick-mark.ts';
import type { ReportNode } from '../report-model.ts';
import { engineNames } from '../../contract/matrix-engine.ts';
import { healthSentence } from '../../figures/tell-health.ts';
import { checkFindings, nameDevices, nameMetrics, repeatsCheck } from './check-findings.ts';
import { kindInNode } from './computed.ts';
import { figureOf, readMeasurement, type Device, type Measurement } from './devices.ts';
import type { Finding } from './finding.ts';
import { lowFigures } from './low-figures.ts';
import { metricInfo } from './metrics.ts';
import { standings } from './peers.ts';
import { printDeviation, printPercent } from './print-number.ts';

/** Above this coefficient of variation a median is printed with a remark: the machine was busy or throttling. */
const UNSTEADY_CV = 0.1;

/** A device is named if it is slower than its peers by at least this share. */
const SLOW_SHARE = 0.03;

/** Figures by which devices of one node are compared with each other. */
const peerMetrics: QuickMarkMetric[] = [
  'fp32_tflops',
  'fp16_tflops',
  'bf16_tflops',
  'fp8_tflops',
  'memory_bandwidth_gbs',
  'host_to_device_bandwidth_gbs',
  'device_to_host_bandwidth_gbs',
];

/** Everything noteworthy about one node, from its state, its results and its figures. Pure. */
export function nodeFindings(node: ReportNode): Finding[] {
  const measurement = readMeasurement(node);
  const devices = measurement?.devices ?? [];
  return [
    ...stateFindings(node),
    ...node.warnings
      .filter((text) => !repeatsCheck(text, devices) && node.failedMessage?.includes(text) !== true)
      .map((text): Finding => ({ level: 'warning', text: nameDevices(text, devices) })),
    ...resultFindings(node),
    ...healthFindings(node, measurement),
    ...(measurement ? sumFindings(measurement, node.warnings) : []),
    ...(measurement ? figureFindings(measurement) : []),
    ...checkFindings(devices),
    // An agent that judges figures has already compared the devices with each other.
    ...peerFindings(devices.filter(({ verdicts }) => verdicts === null)),
    ...lowFigures('machine', node.performance),
  ];
}

function stateFindings(node: ReportNode): Finding[] {
  const message = node.failedMessage ?? 'no reason was given';
  if (node.state === 'failed') return [{ level: 'failure', text: `The run failed: ${message}` }];
  if (node.state === 'aborted') return [{ level: 'failure', text: `The run was aborted: ${message}` }];
  if (node.state === 'lost') {
    return [{ level: 'failure', text: 'Contact with the machine was lost before it said that it had finished.' }];
  }
  return [];
}

function resultFindings(node: ReportNode): Finding[] {
  const findings = node.results.flatMap((result): Finding[] => {
    const name = result.benchmarkName;
    if (result.state === 'failed') {
      return [{ level: 'failure', text: `${name} failed: ${result.errorMessage ?? 'no reason was given'}` }];
    }
    if (result.state === 'skipped') {
      return [{ level: 'warning', text: `${name} was skipped: ${result.errorMessage ?? 'no reason was given'}` }];
    }
    return result.late
      ? [{ level: 'note', text: `${name} arrived late, after the machine or the job had been given up.` }]
      : [];
  });
  const measured = node.results.find((one) => one.benchmarkId === 'quick_mark' && one.results !== null);
  if (measured && !readMeasurement(node)) {
    findings.push({
      level: 'failure',
      text: 'The QuickMark results are stored but do not have the shape of this version.',
    });
  }
  if (node.state === 'completed' && node.results.length === 0) {
    findings.push({ level: 'failure', text: 'The machine finished without delivering a result.' });
  }
  return findings;
}

/** Of results that were delivered before the rules: newer ones have theirs among the warnings. */
function healthFindings(node: ReportNode, measurement: Measurement | null): Finding[] {
  const told = [...node.warnings, node.failedMessage ?? ''].some((text) => text.includes('(health rule '));
  if (told) return [];
  return (measurement?.health ?? [])
    .filter(({ finding }) => finding.severity !== 'info')
    .map(({ place, finding }) => ({ level: 'warning', text: healthSentence(place, finding) }));
}

/** Left out if a warning of the agent, which also names the devices, already says it. */
function sumFindings({ notes }: Measurement, warnings: readonly string[]): Finding[] {
  if (warnings.some((text) => text.includes(engineNames.own) && text.includes(engineNames.vendor))) return [];
  return notes.map((text): Finding => ({ level: 'note', text: `${nameMetrics(text)}.` }));
}

function figureFindings({ devices }: Measurement): Finding[] {
  return devices.flatMap((device) => {
    const findings: Finding[] = [];
    if (device.run?.contended === true) {
      const text = `${device.name}: other work ran on the machine during the measurement, so the figures may be too low.`;
      findings.push({ level: 'note', text });
    }
    if (device.figures.every(({ value }) => value === null)) {
      findings.push({ level: 'failure', text: `${device.name} (${device.model}): not one figure was measured.` });
    }
    for (const figure of device.figures) {
      const what = `${device.name}: ${figure.info.label}`;
      if (figure.verified === false) {
        findings.push({ level: 'failure', text: `${what} computed wrong results; its speed does not count.` });
      }
      if (figure.info.throughput && figure.value === 0) {
        findings.push({ level: 'failure', text: `${what} reads 0 ${figure.info.unit}, which cannot be.` });
      }
      if (figure.stats && figure.stats.cv > UNSTEADY_CV && figure.info.throughput) {
        const spread = `cv ${printPercent(figure.stats.cv)}, n ${figure.stats.n}`;
        findings.push({ level: 'note', text: `${what} was unsteady (${spread}).` });
      }
      const share = figure.how['core_share'];
      if (typeof share === 'number' && share < CORE_SHARE_MIN) {
        const text = `${what}: its threads had their cores only ${printPercent(share)} of the time; the figure is too low.`;
        findings.push({ level: 'note', text });
      }
    }
    return findings;
  });
}

/** Devices of one model compared with their median: one warning, which names the figures, per device 3 % or more below. */
function peerFindings(devices: Device[]): Finding[] {
  const models = [...new Set(devices.map(({ model }) => model))];
  const slow = models.flatMap((model) =>
    peerMetrics.flatMap((metric) => {
      const values = devices.flatMap((device) => {
        const value = device.model === model ? (figureOf(device, metric)?.value ?? null) : null;
        const kind = kindInNode(device, metric);
        return value === null ? [] : [{ name: device.name, value, kind }];
      });
      // Figures of different engines, arithmetics or loads cannot be compared.
      return [...Map.groupBy(values, ({ kind }) => kind).values()]
        .flatMap(standings)
        .filter(({ deviation }) => deviation <= -SLOW_SHARE)
        .map(({ name, deviation }) => ({ name, what: `${metricInfo[metric].short} ${printDeviation(deviation)}` }));
    }),
  );
  return [...Map.groupBy(slow, ({ name }) => name)].map(([name, items]): Finding => {
    const figures = items.map(({ what }) => what).join(', ');
    return { level: 'warning', text: `${name} is slower than the median of the node's devices: ${figures}.` };
  });
}
