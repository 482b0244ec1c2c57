import { engineNames } from '../../contract/matrix-engine.ts';
import { computedOf } from '../facts/computed.ts';
import { describeRecord, verificationMethod } from '../facts/describe-record.ts';
import type { Device, Figure, Measurement } from '../facts/devices.ts';
import { printDuration, printInstant, printNumber } from '../facts/print-number.ts';
import { heading, keyValues, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';
import type { ReportNode } from '../report-model.ts';

/** What was measured and how: run, engines, versions, samples, verification, and what the runner recorded per figure. */
export function methodSection(paper: Paper, node: ReportNode, measurement: Measurement): void {
  const [first] = measurement.devices;
  if (!first || !heading(paper, 'What was measured, and how', 120)) return;
  const { result, devices } = measurement;
  paragraph(
    paper,
    'Each headline figure is the median of its samples. GB is 1e9 bytes, TFLOP is 1e12 operations; a matrix multiply ' +
      'counts 2mnk. A figure that was not measured is left empty with its reason, never set to zero.',
  );
  keyValues(paper, [
    ['Benchmark', `${result.benchmarkName}, attempt ${result.attempt}${result.late ? ', delivered late' : ''}`],
    ['Agent', node.agentVersion],
    ['Started', printInstant(result.startedAt)],
    ['Ended', printInstant(result.endedAt)],
    ['Duration', printDuration(result.startedAt, result.endedAt)],
    ['Engine', engineWords(devices)],
    ['Engine asked for', choiceWords(measurement)],
    ['Verification', verificationOf(devices)],
    ['Warm-up', recorded(first, /^warm/)],
    ['Data', recorded(first, /^data$/)],
    ['Contention', contentionOf(devices)],
  ]);
  const figures = [...first.figures, ...first.extra].filter(({ value }) => value !== null);
  if (figures.length === 0) return;
  table(
    paper,
    [
      { title: 'Figure', share: 25 },
      { title: 'Samples', share: 9, align: 'right' },
      { title: 'Verified', share: 12 },
      { title: `How it was taken (as recorded for ${first.name})`, share: 60, maxLines: 12 },
    ],
    figures.map(methodRow),
  );
  const methods = new Set(figures.flatMap(({ how }) => verificationMethod(how) ?? []));
  for (const method of methods) note(paper, `Verification: ${method}.`);
  if (devices.length > 1)
    note(
      paper,
      devices.length === 2
        ? 'The record of the other device is kept with the results.'
        : `The records of the other ${devices.length - 1} devices are kept with the results.`,
    );
}

const methodRow = (figure: Figure): string[] => [
  figure.info.label,
  figure.stats ? String(figure.stats.n) : '–',
  verifiedWords(figure),
  describeRecord(figure.how) || 'nothing more was recorded',
];

/** In words with a mark; a figure that is not computed has nothing to verify. */
export const verifiedWords = (figure: Figure): string =>
  figure.verified === null ? 'not applicable' : figure.verified ? '✓ verified' : '✗ WRONG';

/** Which engine computed which matrix products; the device's engine if the agent does not report it per figure. */
function engineWords(devices: Device[]): string {
  const named = devices.flatMap((device) =>
    [...device.figures, ...device.extra].flatMap((figure) => {
      const engine = computedOf(device, figure)?.engine ?? null;
      return engine === null ? [] : [{ engine, short: figure.info.short }];
    }),
  );
  if (named.length === 0) {
    const engines = devices.map(({ engine }) => (engine === null ? 'not recorded' : engineNames[engine]));
    return [...new Set(engines)].join(', ');
  }
  const groups = [...Map.groupBy(named, ({ engine }) => engine)];
  if (groups.length === 1) return groups.map(([engine]) => engineNames[engine]).join('');
  const byFigure = Map.groupBy(named, ({ short }) => short).values();
  if ([...byFigure].some((figures) => new Set(figures.map(({ engine }) => engine)).size > 1))
    return 'both, not the same on all devices: see the matrix products';
  return groups
    .map(([engine, figures]) => `${engineNames[engine]}: ${[...new Set(figures.map(({ short }) => short))].join(', ')}`)
    .join('; ');
}

const choiceWords = ({ engineChoice }: Measurement): string | null =>
  engineChoice === null ? null : engineChoice === 'auto' ? 'none: the library where it is' : `--engine ${engineChoice}`;

function verificationOf(devices: Device[]): string {
  const figures = devices
    .flatMap((device) => [...device.figures, ...device.extra])
    .filter(({ value }) => value !== null);
  const right = figures.filter(({ verified }) => verified === true).length;
  const wrong = figures.filter(({ verified }) => verified === false).length;
  const open = figures.length - right - wrong;
  const rest = open > 0 ? `; ${open} have no result to check` : '';
  return `${right} figures checked against a reference, ${wrong > 0 ? `${wrong} WRONG` : 'none wrong'}${rest}`;
}

/** The first member of any figure's record whose name matches, as text; null if there is none. */
function recorded(device: Device, name: RegExp): string | null {
  for (const { how } of [...device.figures, ...device.extra]) {
    const found = Object.entries(how).find(([member]) => name.test(member));
    if (found) return typeof found[1] === 'string' ? found[1] : describeRecord(Object.fromEntries([found]));
  }
  return null;
}

function contentionOf(devices: Device[]): string {
  const runs = devices.flatMap(({ run }) => run ?? []);
  if (runs.length === 0) return 'not recorded with the results';
  const ratios = runs.flatMap(({ contention_ratio }) => contention_ratio ?? []);
  const ratio = ratios.length > 0 ? `; the work took ${printNumber(Math.max(...ratios))} of its undisturbed time` : '';
  return `${runs.some(({ contended }) => contended) ? 'other work ran at the same time' : 'none seen'}${ratio}`;
}
