import { figureOf, type Device, type Figure } from '../facts/devices.ts';
import { headlineMetrics } from '../facts/headline.ts';
import { metricInfo } from '../facts/metrics.ts';
import { nodeValue } from '../facts/node-summary.ts';
import { printNumber } from '../facts/print-number.ts';
import { heading, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table, type Cell } from '../layout/table.ts';

/** Power, temperature and energy per device and for the node, and work per watt. */
export function powerSection(paper: Paper, devices: Device[]): void {
  if (devices.length === 0 || !heading(paper, 'Power and energy', 70)) return;
  const metrics = ['power_consumption_watts', 'temperature_centigrade', 'energy_consumption_wh'] as const;
  const figures = devices.flatMap((device) => metrics.flatMap((metric) => figureOf(device, metric) ?? []));
  if (figures.every(({ value }) => value === null)) {
    const reasons = [
      ...new Set(figures.map(({ info, reason }) => `${info.label}: ${reason ?? 'no reason was given'}.`)),
    ];
    paragraph(paper, `Not measured. ${reasons.join(' ')}`);
    return;
  }
  const compute = headlineMetrics(devices)[0] ?? 'fp32_tflops';
  const rows = devices.map((device): Cell[] => [
    device.name,
    ...metrics.map((metric) => cellOf(figureOf(device, metric))),
    perWatt([device], compute),
  ]);
  if (devices.length > 1) {
    const totals = metrics.map((metric): Cell => ({ text: printNumber(nodeValue(devices, metric)), font: 'bold' }));
    rows.push([
      { text: 'Node (temperature: highest)', font: 'bold' },
      ...totals,
      { text: perWatt(devices, compute), font: 'bold' },
    ]);
  }
  table(
    paper,
    [
      { title: 'Device', share: 24 },
      { title: 'Power W, mean under load', share: 18, align: 'right' },
      { title: 'Temperature °C, highest', share: 18, align: 'right' },
      { title: 'Energy Wh, whole run', share: 18, align: 'right' },
      { title: `${metricInfo[compute].short} TFLOP/s per W`, share: 18, align: 'right' },
    ],
    rows,
  );
  const reasons = [
    ...new Set(
      figures.flatMap(({ info, reason }) => (reason === null ? [] : [`${info.label} not measured: ${reason}.`])),
    ),
  ];
  for (const line of reasons.slice(0, 6)) note(paper, line);
}

const cellOf = (figure: Figure | undefined): string => printNumber(figure?.value);

function perWatt(devices: Device[], compute: ReturnType<typeof headlineMetrics>[number]): string {
  const work = nodeValue(devices, compute);
  const power = nodeValue(devices, 'power_consumption_watts');
  return work === null || power === null || power === 0 ? '–' : printNumber(work / power);
}
