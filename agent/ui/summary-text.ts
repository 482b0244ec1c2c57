import { engineText } from './engine-text.ts';
import { durationText, figureText, measureText, percentText, unitText } from './figure-text.ts';
import { gapText } from './event-text.ts';
import { deviceNames } from '../../coordinator/figures/device-name.ts';
import { healthLines, healthMark, machineBlocks } from './health-text.ts';
import { matrixBlock } from './matrix-text.ts';
import { metricLabel } from '../kernels/registry.ts';
import type { LinkView } from './link-view.ts';
import { networkBlocks } from './network-block.ts';
import type { Paint, Style } from './paint.ts';
import type { DeviceSummary, MetricSummary, RunSummary, Verdict } from '../run/run-summary.ts';
import { fitWidth, padEnd, padStart, printable, wrapText } from './text-width.ts';

const WIDTH = 80;
const LABEL_WIDTH = 24;
const MARKS: Record<Verdict, { sign: string; style: Style }> = {
  ok: { sign: '✓', style: 'green' },
  warn: { sign: '!', style: 'yellow' },
  bad: { sign: '✗', style: 'red' },
  absent: { sign: '-', style: 'dim' },
};

/**
 * The result as text for people: every figure with unit, count and spread, or the reason why it is missing. Without the
 * error that ended a run, which main.ts prints to stderr.
 */
export function summaryText(summary: RunSummary, paint: Paint, links: LinkView | null = null): string {
  const matrix = summary.matrix === null ? [] : [matrixBlock(summary.matrix, summary.devices, paint)];
  const names = deviceNames(summary.devices);
  const blocks = [
    ...summary.devices.map((device, index) => deviceBlock(device, names[index] ?? '', paint)),
    ...matrix,
    ...machineBlocks(summary, paint),
    ...networkBlocks(summary, links, paint),
    outcomeBlock(summary, paint),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Matrix, live table, report and pages use the same name; the driver's id follows it. */
function deviceBlock(device: DeviceSummary, name: string, paint: Paint): string[] {
  const simulated = device.simulated ? ' SIMULATED' : '';
  const title = fitWidth(printable(`${name}  ${device.name}${simulated}  ${device.device_id}`), WIDTH - 2);
  const absent = device.metrics.filter((metric) => metric.verdict === 'absent');
  const judged = device.metrics.filter((metric) => metric.verdict !== 'absent');
  return [
    `${mark(worse(device.verdict, healthMark(device.health)), paint)} ${paint('bold', title)}`,
    ...(device.metrics.length === 0 ? ['  nothing was measured: see the lines marked ! below'] : []),
    ...judged.flatMap((metric) => metricLines(metric, device, paint)),
    ...absentLines(absent, paint),
    ...togetherLines(device, paint),
    ...healthLines(device.health, device.health_not_read, paint),
  ];
}

/** The loss of this device when all work at once, due to power, cooling and the host. */
function togetherLines({ together, metrics }: DeviceSummary, paint: Paint): string[] {
  if (together.length === 0) return [];
  const unitOf = (metric: string): string => metrics.find((one) => one.metric === metric)?.unit ?? '';
  const figures = together.map(
    ({ metric, value, gap }) => `${metricLabel(metric)} ${measureText(value, unitOf(metric))} (${gapText(gap)})`,
  );
  return reasonLines(`  ${padEnd('with all GPUs at work:', LABEL_WIDTH)}`, figures.join(', '), paint);
}

/** One entry per reason, since a missing sensor or a stopped run affects many figures. */
function absentLines(metrics: MetricSummary[], paint: Paint): string[] {
  const reasons = Map.groupBy(metrics, (metric) => metric.reason ?? 'no reason given');
  return [...reasons].flatMap(([reason, group]) => {
    const names = group.map((metric) => metricLabel(metric.metric)).join(', ');
    return reasonLines(`  ${padEnd('not measured:', LABEL_WIDTH)}`, `${names}: ${reason}`, paint);
  });
}

function metricLines(metric: MetricSummary, { vendor, name }: DeviceSummary, paint: Paint): string[] {
  const label = padEnd(metricLabel(metric.metric), LABEL_WIDTH);
  if (metric.value === null) {
    // A device whose memory failed has a bad figure without a value.
    const what = metric.rule === 'verification' ? 'WRONG RESULT' : 'not measured';
    const words = `${what}: ${metric.reason ?? 'no reason given'}`;
    return reasonLines(`${mark(metric.verdict, paint)} ${label}`, words, paint);
  }
  const isCount = metric.unit === 'count';
  const figure = padStart(isCount ? String(metric.value) : figureText(metric.value), 9);
  const unit = padEnd(isCount ? '' : unitText(metric.unit), 8);
  const spread =
    metric.n === null || metric.cv === null
      ? padEnd('', 24)
      : padEnd(`n ${metric.n}, spread ${percentText(metric.cv)}`, 24);
  const line = `  ${label}${figure} ${unit} ${spread}${mark(metric.verdict, paint)}`;
  const indent = ' '.repeat(LABEL_WIDTH + 2);
  // A processor has one engine and no published rate.
  const engine = vendor === 'cpu' ? null : engineText(metric, name);
  const lines = engine === null ? [line] : [line, ...reasonLines(indent, engine, paint)];
  if (metric.reason === null) return lines;
  const isNamed = metric.rule === null || metric.reason.startsWith(metric.rule);
  const words = isNamed ? metric.reason : `[${metric.rule}] ${metric.reason}`;
  return [...lines, ...reasonLines(indent, words, paint)];
}

function reasonLines(prefix: string, reason: string, paint: Paint): string[] {
  const lines = wrapText(printable(reason), WIDTH - LABEL_WIDTH - 2);
  return lines.map((line, index) => (index === 0 ? prefix : ' '.repeat(LABEL_WIDTH + 2)) + paint('dim', line));
}

function outcomeBlock(summary: RunSummary, paint: Paint): string[] {
  const lines = [
    paint('bold', headline(summary)),
    ...summary.warnings.flatMap((warning) => indented(`! ${printable(warning)}`)),
  ];
  const facts: [string, string | null][] = [
    ['job', summary.job_url],
    ['report', summary.report_url],
    ['engine', summary.engine === 'auto' ? null : `${summary.engine}, as asked for`],
    ['resumed', summary.resumed === 0 ? null : `${summary.resumed} ${summary.resumed === 1 ? 'time' : 'times'}`],
    ['waiting in', summary.spool_file],
    ['trace', summary.trace_id],
    ['next', summary.next_command],
  ];
  return [
    ...lines,
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`  ${padEnd(name, 11)}${printable(value)}`])),
  ];
}

function headline(summary: RunSummary): string {
  const time = durationText(summary.seconds);
  if (summary.outcome === 'planned') return 'Plan only: nothing was measured';
  if (summary.outcome === 'aborted') return `Stopped after ${time}`;
  if (summary.outcome === 'failed' && summary.devices.length === 0) return `Failed after ${time}, nothing measured`;
  const isProcessor = summary.devices.every(({ vendor }) => vendor === 'cpu');
  const done = isProcessor ? 'Measured the processor, not a GPU,' : 'Measured';
  const measured = `${summary.outcome === 'failed' ? 'Failed' : done} in ${time}`;
  if (summary.saved) return `${measured}, result delivered`;
  if (summary.spool_file !== null) return `${measured}, result waits in the spool`;
  return summary.mode === 'quick-test' ? `${measured}. Quick test: NOT SAVED` : `${measured}, result not delivered`;
}

const indented = (text: string): string[] =>
  wrapText(text, WIDTH - 4).map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`));

/** A card whose figures are fine can be ill. */
const worse = (verdict: Verdict, health: 'bad' | 'warn' | null): Verdict =>
  health === 'bad' || verdict === 'bad' ? 'bad' : health === 'warn' && verdict !== 'absent' ? 'warn' : verdict;

const mark = (verdict: Verdict, paint: Paint): string => paint(MARKS[verdict].style, MARKS[verdict].sign);
