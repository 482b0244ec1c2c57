import { strips, type Strip } from '../../charts/strips.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { engineNames } from '../../contract/matrix-engine.ts';
import { quickMarkMetrics } from '../../contract/quick-mark.ts';
import { arithmeticWords, computedOf, kindInNode, engineOver, shortEngine } from '../facts/computed.ts';
import { figureOf, gradeOfFigure, type Device, type Figure } from '../facts/devices.ts';
import { headlineMetrics } from '../facts/headline.ts';
import { metricInfo } from '../facts/metrics.ts';
import { standings } from '../facts/peers.ts';
import { printCount, printFigure, printNumber, printPercent } from '../facts/print-number.ts';
import { heading, note } from '../layout/blocks.ts';
import { gradeInk, gradeSigns } from '../layout/mark.ts';
import type { Paper } from '../layout/paper.ts';
import { heightOf, picture } from '../layout/picture.ts';
import { table, type Cell, type Column } from '../layout/table.ts';
import { ink } from '../layout/theme.ts';
import { figureCell } from './gpus.ts';
import { verifiedWords } from './method.ts';
import { peerStrips, type PeerRow } from './peer-strips.ts';

/** All figures of each device with their spread, and a picture of the spread. */
export function devicesSection(paper: Paper, devices: Device[]): void {
  if (devices.length > 1) overview(paper, devices);
  for (const device of devices) {
    const title = devices.length > 1 ? `${device.name}: ${device.model}` : `Figures of ${device.model}`;
    if (!heading(paper, title, 120)) return;
    if (devices.length > 1) note(paper, device.id);
    const figures = [...device.figures, ...device.extra];
    const isComputed = figures.some((figure) => engineCells(device, figure).some((text) => text !== '–'));
    const columns = isComputed ? computedColumns : figureColumns;
    table(
      paper,
      columns,
      figures.map((figure) => figureRow(device, figure, isComputed)),
    );
    if (devices.length === 1) spreadPicture(paper, device);
  }
}

const figureColumns: Column[] = [
  { title: '', share: 4 },
  { title: 'Figure', share: 25 },
  { title: 'Median', share: 10, align: 'right' },
  { title: 'Unit', share: 9 },
  { title: 'p5', share: 9, align: 'right' },
  { title: 'p95', share: 9, align: 'right' },
  { title: 'cv', share: 8, align: 'right' },
  { title: 'n', share: 6, align: 'right' },
  { title: 'Verified', share: 13 },
];

/** With the engine and the share of the published rate after the unit. */
const computedColumns: Column[] = [
  { title: '', share: 4 },
  { title: 'Figure', share: 27 },
  { title: 'Median', share: 9, align: 'right' },
  { title: 'Unit', share: 9 },
  { title: 'Engine', share: 14 },
  { title: 'Of published', share: 11, align: 'right' },
  { title: 'p5', share: 8, align: 'right' },
  { title: 'p95', share: 8, align: 'right' },
  { title: 'cv', share: 8, align: 'right' },
  { title: 'n', share: 8, align: 'right' },
  { title: 'Verified', share: 15 },
];

/** Columns that fit beside the names. */
const DEVICES_PER_TABLE = 8;

/** If the figure is null, the reason fills the rest of its row. */
function figureRow(device: Device, figure: Figure, isComputed: boolean): Cell[] {
  const grade = gradeOfFigure(device, figure.metric);
  const sign = device.verdicts?.[figure.metric] === undefined ? '' : gradeSigns[grade];
  const head: Cell[] = [{ text: sign, color: gradeInk[grade], font: 'bold' }, figure.info.label];
  if (figure.value === null) {
    const reason = { text: `not measured: ${figure.reason ?? ''}`, color: ink.muted };
    const columns = isComputed ? computedColumns : figureColumns;
    return [...head, '–', { ...reason, span: columns.length - 3 }];
  }
  const { stats } = figure;
  return [
    ...head,
    { text: printFigure(figure.info, figure.value), font: 'bold' },
    figure.info.unit,
    ...(isComputed ? engineCells(device, figure) : []),
    stats ? printFigure(figure.info, stats.p5) : '–',
    stats ? printFigure(figure.info, stats.p95) : '–',
    printPercent(stats?.cv),
    stats ? String(stats.n) : '1 value',
    figure.verified === false ? { text: verifiedWords(figure), font: 'bold', color: ink.bad } : verifiedWords(figure),
  ];
}

function engineCells(device: Device, figure: Figure): string[] {
  const how = computedOf(device, figure);
  return [how?.engine ? shortEngine[how.engine] : '–', printPercent(how?.fraction_of_spec_peak)];
}

/** How far the samples of each figure lie from its median, so that figures of different units share one axis. */
function spreadPicture(paper: Paper, device: Device): void {
  const rows = [...device.figures, ...device.extra].flatMap(({ info, stats }): Strip[] => {
    if (!stats || stats.median === 0 || stats.n < 2) return [];
    const share = (value: number): number => value / stats.median - 1;
    return [
      {
        label: paper.glyphs.printable(info.label),
        note: `${printNumber(stats.median)} ${info.unit}, n ${stats.n}`,
        band: { low: share(stats.p5), high: share(stats.p95) },
        marks: [{ at: 0, low: share(stats.min), high: share(stats.max), sign: '' }],
      },
    ];
  });
  if (rows.length === 0) return;
  const axis = 'percent from the median   (dot: median, box: p5 to p95, line: least to most)';
  const svg = strips(rows, { width: chartWidths.paper, axis });
  if (heading(paper, 'Spread of the samples', heightOf(svg))) picture(paper, svg);
}

/** Devices of one node side by side: medians in a table, deviations in a picture. */
function overview(paper: Paper, devices: Device[]): void {
  const measured = quickMarkMetrics.filter((metric) =>
    devices.some((device) => (figureOf(device, metric)?.value ?? null) !== null),
  );
  if (measured.length === 0 || !heading(paper, `The ${printCount(devices.length, 'device')} side by side`, 100)) return;
  for (let first = 0; first < devices.length; first += DEVICES_PER_TABLE) {
    const shown = devices.slice(first, first + DEVICES_PER_TABLE);
    table(
      paper,
      [
        { title: 'Figure', share: 26 },
        { title: 'Unit', share: 11 },
        ...shown.map(({ name }): Column => ({ title: name, share: 10, align: 'right' })),
      ],
      measured.map((metric) => {
        const values = shown.map((device) => figureCell(device, metric));
        return [metricInfo[metric].label, metricInfo[metric].unit, ...values];
      }),
    );
  }
  note(
    paper,
    'Signs: ! to check, ✗ bad. Medians of the samples; counts and spread of each stand in the tables of the devices.',
  );
  const mixed = measured.filter((metric) => engineOver(devices, metric) === 'mixed');
  if (mixed.length > 0) note(paper, mixedWords(mixed.map((metric) => metricInfo[metric].short)));
  const rows = headlineMetrics(devices).flatMap((metric): PeerRow[] => {
    const having = devices.filter((device) => (figureOf(device, metric)?.value ?? null) !== null);
    if (new Set(having.map((device) => kindInNode(device, metric))).size > 1) {
      const kinds = arithmeticWords(devices, metric);
      const words =
        kinds?.includes(' and ') === true
          ? `computed ${kinds}, ${OF_ONE_KIND}`
          : `measured under different loads, ${NOT_COMPARED}`;
      if (!mixed.includes(metric)) note(paper, `${metricInfo[metric].short}: ${words}`);
      return [];
    }
    const values = devices.flatMap((device) => {
      const value = figureOf(device, metric)?.value ?? null;
      const grade = gradeOfFigure(device, metric);
      return value === null ? [] : [{ name: device.name, value, marked: grade === 'bad' || grade === 'check' }];
    });
    const points = standings(values);
    return points.length > 0 ? [{ label: metricInfo[metric].label, points }] : [];
  });
  if (rows.length > 0) picture(paper, peerStrips(rows, `${devices.length} devices`));
}

const NOT_COMPARED = 'so the devices are not compared by it.';
const OF_ONE_KIND = 'so the devices are not compared by it; fp32_ieee_tflops and tf32_tflops are each of one kind.';

const mixedWords = (figures: string[]): string =>
  `${figures.join(', ')}: measured with ${engineNames.mixed}, so the devices are not compared by it; run with --engine own to compare them.`;
