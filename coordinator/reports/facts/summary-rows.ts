import type { BandwidthCell } from '../../contract/bandwidth-matrix.ts';
import type { Grade, Judgement, RunFinding } from '../../contract/judgement.ts';
import type { Performance } from '../../contract/performance.ts';
import type { QuickMarkMetric } from '../../contract/quick-mark.ts';
import { healthRules } from '../../figures/health-rules.ts';
import { metricName } from '../../figures/metric-names.ts';
import { median } from '../../figures/statistics.ts';
import type { ReportNetwork } from '../report-model.ts';
import { engineOver, loadOver, shortEngine } from './computed.ts';
import { figureOf, gradeOfFigure, readMeasurement, type Device } from './devices.ts';
import { headlineMetrics } from './headline.ts';
import { metricInfo } from './metrics.ts';
import type { NodeSummary } from './node-summary.ts';
import { printCount, printFigure, printInteger, printNumber, printPercent } from './print-number.ts';
import { besideWords } from './reference.ts';

/** One line of the first page: a subject, its figure, what it stands beside, and how many are good. */
export interface SummaryRow {
  subject: string;
  figure: string;
  reference: string;
  counts: string;
  grade: Grade;
}

interface Summarised {
  nodes: readonly NodeSummary[];
  judgement: Judgement;
  network: ReportNetwork | null;
  performance: Performance | null;
}

/** Compute, memory, links and health, each against its reference. */
export function summaryRows({ nodes, judgement, network, performance }: Summarised): SummaryRow[] {
  const devices = nodes.flatMap((node) => node.devices);
  if (devices.length === 0) return [];
  const [compute = 'fp32_tflops'] = headlineMetrics(devices);
  const cells = nodes.flatMap(({ node }) => readMeasurement(node)?.matrix ?? []);
  return [
    figureRow('Compute', devices, compute, { performance, of: /_tflops$|^repeat_checks$/ }),
    figureRow('Memory', devices, 'memory_bandwidth_gbs', {
      performance,
      of: /^(memory_.*|l2_bandwidth|march_passes)/,
    }),
    ...(cells.length === 0 ? [] : [copiesRow(cells)]),
    ...linksRow(network, judgement, cells, nodes.length),
    healthRow(nodes, judgement),
  ];
}

function figureRow(
  subject: string,
  devices: readonly Device[],
  metric: QuickMarkMetric,
  { performance, of }: { performance: Performance | null; of: RegExp },
): SummaryRow {
  const grades = devices.map((device) => gradeOfAll(device, of));
  const counted = { counts: countWords(grades), grade: worstOf(grades) };
  const figures = devices.flatMap((device) => figureOf(device, metric) ?? []);
  const valid = figures.filter(({ value, verified }) => value !== null && verified !== false);
  const values = valid.flatMap(({ value }) => value ?? []);
  const name = metricName(metric);
  if (values.length === 0) {
    const isWrong = figures.some(({ verified }) => verified === false);
    const why = isWrong
      ? 'computed wrong results, so its speed does not count'
      : `not measured: ${figures.find(({ reason }) => reason !== null)?.reason ?? 'no reason was given'}`;
    return { subject, figure: `${name} ${why}`, reference: '–', ...counted };
  }
  const middle = median(values);
  const per = devices.every(({ vendor }) => vendor === 'cpu') ? 'processor' : 'GPU';
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const stats = devices.length === 1 ? (valid[0]?.stats ?? null) : null;
  const count = `${printInteger(values.length)}${values.length === devices.length ? '' : ` of ${printInteger(devices.length)}`}`;
  const spread =
    devices.length > 1
      ? `per ${per}, median of ${count}, ${printNumber(low)} to ${printNumber(high)}`
      : stats === null
        ? 'one value'
        : `p5–p95 ${printNumber(stats.p5)}–${printNumber(stats.p95)}, n ${stats.n}`;
  const engine = engineOver(devices, metric);
  const how = [engine === null ? null : shortEngine[engine], loadOver(devices, metric)].filter(Boolean).join(', ');
  return {
    subject,
    figure: `${name} ${printFigure(metricInfo[metric], middle)} ${metricInfo[metric].unit} ${spread}${how === '' ? '' : ` (${how})`}`,
    reference: besideWords(devices, metric, middle, performance),
    ...counted,
  };
}

/** The worst grade of the figures of one kind; what is not measured beside what is good does not count. */
function gradeOfAll(device: Device, of: RegExp): Grade {
  const metrics = [...device.figures, ...device.extra].filter(({ metric }) => of.test(metric));
  return worstOf(metrics.map(({ metric }) => gradeOfFigure(device, metric)));
}

const order: readonly Grade[] = ['bad', 'check', 'good', 'not_measured'];
const worstOf = (grades: readonly Grade[]): Grade => order.find((one) => grades.includes(one)) ?? 'not_measured';

/** "1 bad, 63 good"; of one kind only "64 of 64 good". */
export function countWords(grades: readonly Grade[]): string {
  const all = printInteger(grades.length);
  const counted = order.flatMap((grade) => {
    const count = grades.filter((one) => one === grade).length;
    return count === 0 ? [] : [{ count, words: words[grade] }];
  });
  const [only] = counted;
  if (counted.length === 1 && only) return grades.length === 1 ? only.words : `${all} of ${all} ${only.words}`;
  return counted.map(({ count, words: name }) => `${printInteger(count)} ${name}`).join(', ') || '–';
}

const words: Readonly<Record<Grade, string>> = {
  bad: 'bad',
  check: 'to check',
  good: 'good',
  not_measured: 'not measured',
};

const cellGrades = { ok: 'good', warn: 'check', bad: 'bad', absent: 'not_measured' } as const;
export const gradeOfCell = ({ verdict, simplex_gbs }: BandwidthCell): Grade =>
  cellGrades[verdict ?? (simplex_gbs === null ? 'absent' : 'ok')];

function copiesRow(cells: readonly BandwidthCell[]): SummaryRow {
  const grades = cells.map(gradeOfCell);
  const speeds = cells.flatMap(({ simplex_gbs }) => simplex_gbs ?? []);
  const paths = new Set(cells.map(({ connection_type: path }) => path));
  const over = paths.size === 1 ? [...paths].join('') : `${paths.size} kinds of path`;
  return {
    subject: 'Copies',
    figure:
      speeds.length === 0
        ? 'not measured'
        : `GPU to GPU ${printNumber(median(speeds))} GB/s, median of ${printCount(speeds.length, 'direction')}, lowest ${printNumber(speeds.reduce((a, b) => Math.min(a, b)))}`,
    reference: `judged by links, rate and the other pairs; over ${over}`,
    counts: countWords(grades),
    grade: worstOf(grades),
  };
}

function linksRow(
  network: ReportNetwork | null,
  { verdict, findings }: Judgement,
  cells: readonly BandwidthCell[],
  nodes: number,
): SummaryRow[] {
  if (network === null) {
    if (nodes < 2) return [];
    const words = 'the links between the nodes were not measured in this job';
    return [{ subject: 'Links', figure: words, reference: '–', counts: 'not measured', grade: 'not_measured' }];
  }
  const directions = network.links
    .filter(({ status }) => status === 'ok')
    .flatMap((link) => [
      { rate: link.forward_gbps, expected: link.expected_forward_gbps },
      { rate: link.reverse_gbps, expected: link.expected_reverse_gbps },
    ]);
  const rates = directions.flatMap(({ rate }) => rate ?? []);
  const expected = directions.flatMap((one) => one.expected ?? []);
  const shares = directions.flatMap(({ rate, expected: of }) => (rate === null || !of ? [] : [rate / of]));
  // The judgement counts copies and links together.
  const copies = cells.map(gradeOfCell);
  const bad = verdict.links.bad - copies.filter((grade) => grade === 'bad').length;
  const check = verdict.links.check - copies.filter((grade) => grade === 'check').length;
  const good = network.results.total_links_tested - bad - check;
  const missing = network.results.links_planned - network.results.total_links_tested;
  const grades: [number, Grade][] = [
    [bad, 'bad'],
    [check, 'check'],
    [good, 'good'],
    [missing, 'not_measured'],
  ];
  // A bad node has slow links whose expected rate is its own: none of them is blamed.
  const ofNodes = findings.filter(({ rule }) => rule === 'network_node' || rule === 'network_partition');
  const blamed = new Set(ofNodes.flatMap((finding) => finding.nodes)).size;
  return [
    {
      subject: 'Links',
      figure:
        rates.length === 0
          ? 'not one link was measured'
          : `${printNumber(median(rates))} Gb/s, median of ${printCount(rates.length, 'direction')}, lowest ${printNumber(rates.reduce((a, b) => Math.min(a, b)))}`,
      reference:
        shares.length === 0
          ? '–'
          : `${printPercent(median(shares))} of this job's expected ${printNumber(median(expected))}`,
      counts: `${countWords(
        grades.flatMap(([count, grade]) => Array.from({ length: Math.max(0, count) }, (): Grade => grade)),
      )}${ofNodes.length === 0 ? '' : `; ${printCount(blamed, 'node')} to act on`}`,
      grade: worstOf([
        ...ofNodes.map(({ grade }) => grade),
        ...grades.flatMap(([count, grade]) => (count > 0 ? [grade] : [])),
      ]),
    },
  ];
}

function healthRow(nodes: readonly NodeSummary[], { findings, not_measured }: Judgement): SummaryRow {
  const found = findings.filter(({ health }) => health !== undefined);
  const measurements = nodes.map(({ node }) => readMeasurement(node));
  const grades = measurements.flatMap((measurement, node) =>
    (measurement?.devices ?? []).map((_, device): Grade => {
      const isHere = (one: RunFinding): boolean =>
        one.devices.includes(device) && (one.nodes.includes(node) || one.nodes.length === 0);
      const read: Grade = measurement?.healthRead[device] === true ? 'good' : 'not_measured';
      return worstOf([...found.filter(isHere).map(({ grade }) => grade), read]);
    }),
  );
  const read = grades.filter((grade) => grade !== 'not_measured').length;
  const remarks = measurements
    .flatMap((measurement) => measurement?.health ?? [])
    .filter(({ finding }) => finding.severity === 'info').length;
  const ofMachines = found.filter(({ devices }) => devices.length === 0).length;
  const unread = new Set(not_measured.flatMap(({ signals }) => signals)).size;
  const beside = [
    ofMachines > 0 ? `${printCount(ofMachines, 'finding')} of machines or the job` : '',
    remarks > 0 ? printCount(remarks, 'remark') : '',
    unread > 0 ? `${printCount(unread, 'signal')} not read` : '',
  ].filter((part) => part !== '');
  return {
    subject: 'Health',
    figure:
      read === 0 ? 'no signal was read' : `${printCount(healthRules.length, 'rule')} over ${printCount(read, 'GPU')}`,
    reference: beside.join(', ') || 'every signal was read',
    counts: read === 0 && found.length === 0 ? 'not measured' : countWords(grades),
    grade: worstOf([...found.map(({ grade }) => grade), ...grades]),
  };
}
