import { arithmeticOf, gemmMetrics } from '../../contract/matrix-engine.ts';
import { printed } from '../../figures/reference-words.ts';
import { referenceOf } from '../../figures/references.ts';
import { loadOf } from '../../contract/load-class.ts';
import { computedOf, shortEngine, type Computed } from '../facts/computed.ts';
import type { Device } from '../facts/devices.ts';
import { infoOf } from '../facts/metrics.ts';
import { printCount, printNumber, printPercent } from '../facts/print-number.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';
import { matrixMeasuring, type Product } from './matrix-measuring.ts';
import { heldBackWords } from './sensors.ts';

/** Maximum notes on libraries and reasons; the rest are kept with the results. */
const MAX_NOTES = 8;

/**
 * The matrix products of the first device: both engines side by side, the share of the published rate, the best shape,
 * the slowdown on random data, the rate of the bare instructions, and how each was computed. Then, for several devices,
 * which engine computed which figure. Left out if the first device has no such record.
 */
export function matrixProductsSection(paper: Paper, devices: Device[]): void {
  const [first] = devices;
  const products = first === undefined ? [] : productsOf(first);
  if (first === undefined || !products.some(({ how }) => how.engines !== null || how.path !== null)) return;
  if (!heading(paper, 'Matrix products: engines, peaks and paths', 110)) return;
  const of = devices.length > 1 ? `, of ${first.name}` : '';
  table(
    paper,
    [
      { title: `TFLOP/s${of}`, share: 23 },
      { title: 'Engine', share: 15 },
      { title: 'Headline', share: 10, align: 'right' },
      { title: 'Of published', share: 11, align: 'right' },
      { title: 'Vendor library', share: 10, align: 'right' },
      { title: 'Own kernels', share: 10, align: 'right' },
      { title: 'Issue peak', share: 10, align: 'right' },
      { title: 'Zeros / random', share: 10, align: 'right', maxLines: 3 },
      { title: 'Best over shapes', share: 20, align: 'right', maxLines: 3 },
    ],
    products.map((product) => rateRow(first, product)),
  );
  note(paper, MEANING);
  for (const line of healthyLine(first, products)) note(paper, line);
  table(
    paper,
    [
      { title: 'Figure', share: 23 },
      { title: 'Path', share: 12 },
      { title: 'Algorithm', share: 42, maxLines: 4 },
      { title: 'Clock MHz', share: 9, align: 'right' },
      { title: 'Held back by', share: 20, maxLines: 3 },
    ],
    products.map(pathRow),
  );
  matrixMeasuring(paper, products);
  for (const line of [...librariesOf(products), ...reasonsOf(products)].slice(0, MAX_NOTES)) note(paper, line);
  if (devices.length > 1) enginesTable(paper, devices);
}

const MEANING =
  "Vendor library: the GPU maker's, found on the machine; own kernels: gpumark's. The headline is the library's where it is there and right, " +
  'unless an engine was asked for; figures of different engines are not compared. Of published: the dense rate of the data sheet, which ' +
  'overclocked cards may pass. Issue peak: matrix instructions on registers alone, without memory. Zeros / random: the same product of ' +
  'zeros over random data, 1.00 where power does not limit it. Best over shapes is never the headline. Both with the number of ' +
  'their samples and the class of their load: a brief one is faster than the headline by that alone.';

/** What healthy cards of the model reach in the same way, without which a share of the published rate says little. */
function healthyLine({ model }: Device, products: readonly Product[]): string[] {
  const ranges = products.flatMap(({ figure: { metric }, how }) => {
    const reference = referenceOf(model, metric, {
      engine: how.engine,
      arithmetic: arithmeticOf(metric, { ...how }),
      load: loadOf(metric, { ...how }),
      path: how.path ?? null,
    });
    return reference?.basis !== 'measured' ? [] : [`${infoOf(metric).label} ${printed(reference.value)}`];
  });
  return ranges.length === 0 ? [] : [`A healthy card of this model reaches, TFLOP/s: ${ranges.join(', ')}.`];
}

function productsOf(device: Device): Product[] {
  return gemmMetrics.flatMap((metric) => {
    const figure = [...device.figures, ...device.extra].find((one) => one.metric === metric);
    const how = figure && computedOf(device, figure);
    return figure && how ? [{ figure, how }] : [];
  });
}

function rateRow(device: Device, { figure, how }: Product): string[] {
  const { engine, engines, achieved_peak: best, zeros, zeros_ratio } = how;
  return [
    figure.info.label,
    engine === null ? '–' : shortEngine[engine],
    printNumber(figure.value),
    printPercent(how.fraction_of_spec_peak),
    printNumber(engines?.vendor.tflops),
    printNumber(engines?.own.tflops),
    printNumber(issuePeak(device, figure.metric, how)),
    zeros_ratio === null || zeros?.n == null ? '–' : `${zeros_ratio.toFixed(2)}; n ${zeros.n}, ${zeros.load}`,
    best?.samples == null
      ? '–'
      : `${printNumber(best.tflops)} at ${[best.m, best.n, best.k].map(String).join(' × ')}; n ${best.samples}, ${best.load}`,
  ];
}

/** The probe of the instructions that this product ran on; null for products on ordinary lanes. */
function issuePeak(device: Device, metric: string, { mode, path }: Computed): number | null {
  if (path === 'simt' || metric === 'fp32_cuda_core_tflops' || (metric.startsWith('fp32_') && mode !== 'tf32'))
    return null;
  const type = metric === 'fp32_tflops' ? 'tf32' : metric === 'mixed_precision_tflops' ? 'fp16' : metric.split('_')[0];
  return device.extra.find((figure) => figure.metric === `matrix_issue_${type}_tflops`)?.value ?? null;
}

const pathRow = ({ figure, how }: Product): string[] => [
  figure.info.label,
  [how.path, how.mode].filter((part) => part !== null && part !== 'simt').join(', ') || (how.path ?? '–'),
  algorithmWords(how),
  printNumber(how.clock_mhz_mean),
  heldBackWords(how.throttle),
];

/** The algorithm behind the headline, then that of the other engine with its path. */
function algorithmWords({ engine, engines, algorithm }: Computed): string {
  const other = engine === null ? null : engine === 'own' ? 'vendor' : 'own';
  const beside = other === null ? null : engines?.[other];
  const words = [beside?.path, beside?.algorithm].filter((part) => part != null).join(', ');
  const second = other === null || beside?.tflops == null || words === '' ? [] : [`${shortEngine[other]}: ${words}`];
  return [...(algorithm === null ? [] : [algorithm]), ...second].join('; ') || '–';
}

/** The libraries found, each once. */
function librariesOf(products: Product[]): string[] {
  const found = products.flatMap(({ how }) => {
    const { library = null, version = null, tflops = null } = how.engines?.vendor ?? {};
    return tflops === null || library === null ? [] : [`${library}${version === null ? '' : `, version ${version}`}`];
  });
  return [...new Set(found)].map((library) => `Library: ${library}.`);
}

/** Why an engine has no figure: each reason once, with the figures that it applies to. */
function reasonsOf(products: Product[]): string[] {
  const missing = products.flatMap(({ figure, how: { engines } }) =>
    (['vendor', 'own'] as const).flatMap((engine) => {
      const reason = engines?.[engine].reason ?? null;
      return reason === null ? [] : [{ words: `No figure of the ${shortEngine[engine]}: ${reason}`, figure }];
    }),
  );
  return [...Map.groupBy(missing, ({ words }) => words)].map(
    ([words, group]) => `${words} (${group.map(({ figure }) => figure.info.short).join(', ')}).`,
  );
}

function enginesTable(paper: Paper, devices: Device[]): void {
  const all = devices.flatMap((device) => productsOf(device).map((product) => ({ ...product, device })));
  const groups = Map.groupBy(all, ({ figure, how }) => `${figure.metric} ${how.engine ?? ''}`);
  table(
    paper,
    [
      { title: 'Over all devices', share: 23 },
      { title: 'Engine', share: 15 },
      { title: 'Devices', share: 30, maxLines: 3 },
      { title: 'TFLOP/s', share: 18, align: 'right' },
      { title: 'Of published', share: 18, align: 'right' },
      { title: 'Largest gap of engines', share: 13, align: 'right' },
    ],
    [...groups.values()]
      .toSorted((a, b) => orderOf(a) - orderOf(b))
      .map((group) => {
        const engine = group[0]?.how.engine ?? null;
        const names = group.map(({ device }) => device.name);
        return [
          group[0]?.figure.info.label ?? '',
          engine === null ? '–' : shortEngine[engine],
          names.length === devices.length
            ? `all ${devices.length}`
            : `${printCount(names.length, 'device')}: ${names.join(', ')}`,
          rangeOf(
            group.map(({ figure }) => figure.value),
            printNumber,
          ),
          rangeOf(
            group.map(({ how }) => how.fraction_of_spec_peak),
            printPercent,
          ),
          printPercent(largest(group.map(({ how }) => gapOf(how)))),
        ];
      }),
  );
}

const orderOf = (group: readonly Product[]): number =>
  gemmMetrics.findIndex((metric) => metric === group[0]?.figure.metric);

function gapOf({ engines }: Computed): number | null {
  const [vendor, own] = [engines?.vendor.tflops ?? null, engines?.own.tflops ?? null];
  return vendor === null || own === null ? null : Math.abs(vendor - own) / Math.max(vendor, own);
}

const largest = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

function rangeOf(values: readonly (number | null)[], print: (value: number | null) => string): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '–';
  const [low, high] = [print(Math.min(...known)), print(Math.max(...known))];
  return low === high ? low : `${low} – ${high}`;
}
