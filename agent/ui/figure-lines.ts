import type { Grade } from '../../coordinator/contract/judgement.ts';
import { deviceName, placeWords } from '../../coordinator/figures/findings/finding-words.ts';
import { figureGrade, STOPPED } from '../../coordinator/figures/findings/figure-grade.ts';
import { worstByPlace } from '../../coordinator/figures/findings/verdict.ts';
import { metricName, metricNames } from '../../coordinator/figures/metric-names.ts';
import { metricRank } from '../kernels/registry.ts';
import type { DeviceSummary, MetricSummary, RunSummary } from '../run/run-summary.ts';
import { engineText } from './engine-text.ts';
import { gapText } from './event-text.ts';
import { figureText, measureText, percentText, unitText } from './figure-text.ts';
import type { Paint } from './paint.ts';
import { padEnd, padStart, printable, wrapText } from './text-width.ts';
import { gradeMark, marked, SHORT_LINES, type Shown, WIDTH } from './verdict-text.ts';

/** A device with its number in the node, from 0. */
export interface Placed {
  device: DeviceSummary;
  place: number;
}

const LABEL_WIDTH = 23;
const INDENT = ' '.repeat(4 + LABEL_WIDTH);

/** The same grade as in the judgement. */
const gradeOf = ({ verdict, rule, reason, absence }: MetricSummary, vendor: string): Grade =>
  figureGrade({ verdict, rule: rule ?? '' }, vendor, absence === 'failed' && reason?.startsWith(STOPPED) !== true);

/** Devices of one model: one by one if there is one or everything is asked for, else a line for each figure. */
export function modelBlocks(devices: readonly Placed[], shown: Shown): string[][] {
  if (devices.length === 1 || shown.verbose) return devices.map((one) => deviceBlock(one, shown));
  return devices.length === 0 ? [] : [togetherBlock(devices, shown)];
}

function deviceBlock({ device, place }: Placed, shown: Shown): string[] {
  const { paint, verbose } = shown;
  const simulated = device.simulated ? ', SIMULATED' : '';
  const title = `${nameOf(place, shown)}: ${device.name}${simulated} (${device.device_id})`;
  const isShown = (metric: MetricSummary): boolean => gradeOf(metric, device.vendor) !== 'not_measured';
  return [
    ...marked(gradeMark(gradeOfDevice({ device, place }, shown), paint), title).map((line) => paint('bold', line)),
    ...(device.metrics.length === 0 ? ['    nothing was measured'] : []),
    ...device.metrics.filter(isShown).flatMap((metric) => metricLines(metric, device, paint, verbose)),
    ...lossLines([{ device, place }], shown),
  ];
}

const nameOf = (place: number, { names, areProcessors }: Shown): string => {
  const name = deviceName(place, names.devicesOf(0) ?? { count: 1, areProcessors });
  return name.replace(/^p/, 'P');
};

/** By its findings, so that a card whose figures are fine can be ill. */
function gradeOfDevice({ device, place }: Placed, { judgement }: Shown): Grade {
  const worst = worstByPlace(judgement.findings, (finding) => finding.devices.map(String)).get(String(place));
  if (worst !== undefined) return worst;
  return device.metrics.some(({ value }) => value !== null) ? 'good' : 'not_measured';
}

/** One line: label, value, unit, samples; below it what the figure is compared with. */
function metricLines(metric: MetricSummary, { vendor, name }: DeviceSummary, paint: Paint, verbose: boolean): string[] {
  const grade = gradeOf(metric, vendor);
  const head = `  ${metricMark(metric, grade, paint)} ${padEnd(metricName(metric.metric), LABEL_WIDTH)}`;
  const reason = verbose && metric.reason !== null ? below(reasonOf(metric), paint) : [];
  if (metric.value === null)
    return [`${head}${metric.rule === 'verification' ? 'WRONG RESULT' : 'not measured'}`, ...reason];
  const spread = metric.n === null || metric.cv === null ? '' : ` n ${metric.n}, spread ${percentText(metric.cv)}`;
  // A processor has one engine and no published rate.
  const engine = vendor === 'cpu' ? null : comparedText(metric, name, verbose);
  const line = `${head}${valueText(metric.value, metric.unit)}${spread}`.trimEnd();
  return [line, ...(engine === null ? [] : below(engine, paint)), ...reason];
}

/** The engine alone is a detail. */
const comparedText = (metric: MetricSummary, model: string, verbose: boolean): string | null =>
  verbose || metric.fraction_of_spec_peak !== null ? engineText(metric, model) : null;

const reasonOf = ({ rule, reason }: MetricSummary): string =>
  rule === null || reason?.startsWith(rule) === true ? (reason ?? '') : `[${rule}] ${reason}`;

/** A remark stands beside no tick. */
const metricMark = ({ reason }: MetricSummary, grade: Grade, paint: Paint): string =>
  grade === 'good' && reason !== null ? paint('dim', REMARK) : gradeMark(grade, paint);
const REMARK = 'i';

function valueText(value: number, unit: string): string {
  const isCount = unit === 'count';
  return `${padStart(isCount ? String(value) : figureText(value), 9)} ${padEnd(isCount ? '' : unitText(unit), 8)}`;
}

const below = (text: string, paint: Paint): string[] =>
  wrapText(printable(text), WIDTH - INDENT.length).map((line) => INDENT + paint('dim', line));

/** Several devices: the median of each figure, its least and its most. */
function togetherBlock(devices: readonly Placed[], shown: Shown): string[] {
  const { paint } = shown;
  const [first] = devices;
  const grades = devices.map((one) => gradeOfDevice(one, shown));
  const worst = WORST_FIRST.find((grade) => grades.includes(grade)) ?? 'not_measured';
  const simulated = first?.device.simulated === true ? ', SIMULATED' : '';
  const title = `${devices.length} x ${first?.device.name}${simulated}`;
  const metrics = [...new Set(devices.flatMap(({ device }) => device.metrics.map(({ metric }) => metric)))];
  return [
    ...marked(gradeMark(worst, paint), title).map((line) => paint('bold', line)),
    ...marked(' ', stateWords(devices, grades, shown), '  '),
    ...metrics
      .toSorted((a, b) => metricRank(a) - metricRank(b))
      .flatMap((metric) => togetherLines(metric, devices, shown)),
    ...lossLines(devices, shown),
  ];
}

const WORST_FIRST = ['bad', 'check', 'good', 'not_measured'] as const;
const STATE_WORDS: Readonly<Record<Grade, string>> = {
  bad: 'bad',
  check: 'to check',
  good: 'good',
  not_measured: 'not measured',
};

/** "GPU 7: bad; GPU 2 and GPU 3: to check; 5 good" */
function stateWords(devices: readonly Placed[], grades: readonly Grade[], shown: Shown): string {
  return WORST_FIRST.flatMap((grade) => {
    const of = devices.filter((_, index) => grades[index] === grade);
    if (of.length === 0) return [];
    const isNamed = grade !== 'good' && of.length <= 4;
    const places = of.map(({ place }) => nameOf(place, shown)).join(', ');
    return [isNamed ? `${places}: ${STATE_WORDS[grade]}` : `${of.length} ${STATE_WORDS[grade]}`];
  }).join('; ');
}

function togetherLines(metric: string, devices: readonly Placed[], shown: Shown): string[] {
  const { paint } = shown;
  const all = devices.flatMap(({ device, place }) => {
    const summary = device.metrics.find((one) => one.metric === metric);
    return summary === undefined ? [] : [{ summary, place, device, grade: gradeOf(summary, device.vendor) }];
  });
  const grade = WORST_FIRST.find((one) => all.some((figure) => figure.grade === one)) ?? 'not_measured';
  const measured = all
    .flatMap(({ summary, place, device }) =>
      summary.value === null ? [] : [{ value: summary.value, summary, place, device }],
    )
    .toSorted((a, b) => a.value - b.value);
  const [least, most, middle] = [measured[0], measured.at(-1), measured[Math.floor((measured.length - 1) / 2)]];
  if (grade === 'not_measured') return [];
  const isRemark = grade === 'good' && all.some(({ summary }) => summary.reason !== null);
  const mark = isRemark ? paint('dim', REMARK) : gradeMark(grade, paint);
  const head = `  ${mark} ${padEnd(metricName(metric), LABEL_WIDTH)}`;
  if (least === undefined || most === undefined || middle === undefined) return [`${head}on no GPU`];
  const [low, high] = [figureOf(least.summary), figureOf(most.summary)];
  const isCost = COSTS.has(least.summary.unit);
  const at = ` (${nameOf((isCost ? most : least).place, shown)})`;
  const range = low === high ? '' : `${low}${isCost ? '' : at} to ${high}${isCost ? at : ''}`;
  const count = measured.length === devices.length ? '' : `on ${measured.length} of ${devices.length}`;
  const value = valueText((least.summary.unit === 'count' ? least : middle).value, middle.summary.unit);
  const engine = middle.device.vendor === 'cpu' ? null : comparedText(middle.summary, middle.device.name, false);
  return [
    `${head}${value} ${[range, count].filter((part) => part !== '').join('; ')}`.trimEnd(),
    ...(engine === null ? [] : below(engine, paint)),
  ];
}

/** Units of which the most is the worst. */
const COSTS: ReadonlySet<string> = new Set(['ns', 'us', 'C', 'W', 'Wh']);

const figureOf = ({ value, unit }: MetricSummary): string =>
  unit === 'count' ? String(value ?? 0) : figureText(value ?? 0);

/** What a device loses when all work at once, due to power, cooling and the host; of several the one that loses most. */
function lossLines(devices: readonly Placed[], shown: Shown): string[] {
  const all = devices.flatMap(({ device, place }) => device.together.map((one) => ({ ...one, place, device })));
  const losses = [...Map.groupBy(all, ({ metric }) => metric).values()].flatMap((group) => {
    const [worst] = group.toSorted((a, b) => b.gap - a.gap);
    if (worst === undefined) return [];
    const unit = worst.device.metrics.find(({ metric }) => metric === worst.metric)?.unit ?? '';
    const where = devices.length === 1 ? '' : `, ${nameOf(worst.place, shown)}`;
    return [`${metricName(worst.metric)} ${measureText(worst.value, unit)} (${gapText(worst.gap)}${where})`];
  });
  if (losses.length === 0) return [];
  return marked(
    ' ',
    `${devices.length === 1 ? 'With all GPUs at work' : 'The most lost with all GPUs at work'}: ${losses.join(', ')}`,
    '  ',
  );
}

/** What is worth knowing and needs nothing done: of good figures, and of the health rules; each once for all its devices. */
export function remarkLines(devices: readonly Placed[], { node_health }: RunSummary, shown: Shown): string[] {
  const { names, verbose, paint } = shown;
  const ofFigures = [...Map.groupBy(devices.flatMap(remarksOn), ({ reason }) => reason)].map(([reason, group]) => ({
    places: group.map(({ place }) => place),
    words: `${metricNames([...new Set(group.map(({ metric }) => metric))])}: ${reason}`,
  }));
  const infos = [
    ...devices.flatMap(({ device, place }) => device.health.map((finding) => ({ finding, places: [place] }))),
    ...node_health.map((finding) => ({ finding, places: [] })),
  ].filter(({ finding }) => finding.severity === 'info');
  const ofHealth = infos.map(({ finding: { evidence, of, rule }, places }) => ({
    places,
    words: `${of === undefined || evidence.includes(of) ? '' : `${of}: `}${evidence} [${rule}]`,
  }));
  const all = [...Map.groupBy([...ofHealth, ...ofFigures], ({ words }) => words)].map(([words, group]) => {
    const places = [...new Set(group.flatMap((one) => one.places))].toSorted((a, b) => a - b);
    return `${placeWords({ nodes: [], devices: places }, names)}: ${words}`;
  });
  if (all.length === 0) return [];
  const few = verbose || all.length <= SHORT_LINES ? all : all.slice(0, SHORT_LINES - 1);
  const mark = paint('dim', REMARK);
  return [
    paint('bold', 'Worth knowing, nothing to do'),
    ...few.flatMap((text) => marked(mark, text, '  ')),
    ...(few.length === all.length ? [] : marked(mark, `${all.length - few.length} more: --verbose`, '  ')),
  ];
}

/** Figures that are good and of which something is worth saying. */
const remarksOn = ({ device, place }: Placed): { place: number; metric: string; reason: string }[] =>
  device.metrics.flatMap(({ metric, reason, ...rest }) =>
    reason !== null && gradeOf({ metric, reason, ...rest }, device.vendor) === 'good'
      ? [{ place, metric, reason }]
      : [],
  );
