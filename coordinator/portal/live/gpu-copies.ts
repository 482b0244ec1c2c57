import { deviceNames } from '../../figures/device-name.ts';
import { median } from '../../figures/statistics.ts';
import { matrix, type MatrixCell } from '../components/matrix.ts';
import { status } from '../components/status.ts';
import { html, named, type Content } from '../frame/html.ts';
import { filesOf, nodeLabel, type JobView } from './job-view.ts';
import type { NodeFigures } from './node-figures.ts';

interface Worst {
  from: number;
  to: number;
  value: number;
  /** number of samples of which `value` is the median; null: not reported */
  samples: number | null;
  ratio: number;
  median: number;
  /** number of measured cells */
  count: number;
}

/** Copies between the GPUs of a node: names the slowest of all nodes and shows the matrix of its node below. */
export function gpuCopies(view: JobView): Content {
  const measured = view.nodes.flatMap((node) => {
    const figures = view.figures.get(node.id);
    const worst = figures && worstOf(figures);
    return figures && worst ? [{ node, figures, worst }] : [];
  });
  const [first] = measured.toSorted((a, b) => a.worst.ratio - b.worst.ratio);
  if (!first) return null;
  const label = view.nodes.length > 1 ? nodeLabel(first.node, view.viewer) : null;
  const others =
    measured.length > 1
      ? `Of ${measured.length} nodes with more than one GPU; the page of each node shows its own. `
      : null;
  return html`${copiesOfNode(first.figures, label)}
    <p class="small">${others}${filesOf(view, 'copies')}</p>`;
}

/** The slowest pair of a node and its matrix; null for a node with one GPU. */
export function copiesOfNode(
  figures: Pick<NodeFigures, 'copies'> & { devices: readonly { id: string; vendor: string }[] },
  node: string | null,
): Content {
  const worst = worstOf(figures);
  if (worst === null) return null;
  const names = devicesOf(figures).map(({ name }) => name);
  const [bad, toCheck] = ['bad', 'warn'].map((of) => figures.copies.filter(({ verdict }) => verdict === of).length);
  const where = node === null ? '' : `${named(node)}, `;
  const samples = worst.samples === null ? '' : `, n ${worst.samples}`;
  return html`<h2>Copies between GPUs of a node</h2>
    <p>
      Worst:
      <strong>${where}${names[worst.from]} → ${names[worst.to]}, ${worst.value.toPrecision(3)} GB/s${samples}</strong>,
      ${worst.ratio.toFixed(2)} of that node's median pair (${worst.median.toPrecision(3)} GB/s, n ${worst.count}).
      ${flaggedWords(bad ?? 0, toCheck ?? 0)}
    </p>
    ${matrix({ names, cells: cellsOf(figures), unit: 'GB/s', of: 'GPU', support: samplesOf(figures), caption: node === null ? 'One direction at a time' : `One direction at a time, ${named(node)}` })}
    ${pathsOf(figures)}`;
}

/** Pairs by the grades that the judgement gives them. */
function flaggedWords(bad: number, toCheck: number): Content {
  if (bad + toCheck === 0) return status('ok', 'no slow pair');
  const pairs = (count: number, grade: string): string => `${count} ${count === 1 ? 'pair' : 'pairs'} ${grade}`;
  const words = [...(bad > 0 ? [pairs(bad, 'bad')] : []), ...(toCheck > 0 ? [pairs(toCheck, 'to check')] : [])];
  return status(bad > 0 ? 'bad' : 'warn', words.join(', '));
}

/** How many samples each median speed is based on; undefined unless the agent reported it for every measured pair. */
function samplesOf({ copies }: Copied): string | undefined {
  const measured = copies.filter(({ simplex_gbs }) => simplex_gbs !== null);
  const counts = measured.flatMap(({ simplex_samples }) => simplex_samples ?? []);
  if (counts.length === 0 || counts.length < measured.length) return undefined;
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return `median of ${least === most ? `n ${least}` : `n ${least} to ${most}`} samples each`;
}

type Copied = Parameters<typeof copiesOfNode>[0];

function pathsOf({ copies }: Copied): Content {
  const paths = [...Map.groupBy(copies, ({ connection_type }) => connection_type)];
  return html`<p class="small muted">
    ${paths.map(([type, members]) => `${members.length} ${members.length === 1 ? 'pair' : 'pairs'} by ${named(type)}`).join('; ')}.
  </p>`;
}

function devicesOf({ devices, copies }: Copied): { id: string; name: string }[] {
  const used = new Set(copies.flatMap(({ source_gpu, target_gpu }) => [source_gpu, target_gpu]));
  const names = deviceNames(devices);
  return devices.flatMap(({ id }, place) => (used.has(id) ? [{ id, name: names[place] ?? id }] : []));
}

type CopiedCell = MatrixCell & Pick<Worst, 'samples'>;

function cellsOf(figures: Copied): CopiedCell[] {
  const place = new Map(devicesOf(figures).map(({ id }, index) => [id, index]));
  return figures.copies.flatMap(({ source_gpu, target_gpu, simplex_gbs: value, simplex_samples: samples = null }) => {
    const [from, to] = [place.get(source_gpu), place.get(target_gpu)];
    return from === undefined || to === undefined ? [] : [{ from, to, value, samples }];
  });
}

function worstOf(figures: Copied): Worst | null {
  const cells = cellsOf(figures).flatMap(({ value, ...rest }) => (value === null ? [] : [{ ...rest, value }]));
  const sorted = cells.toSorted((a, b) => a.value - b.value);
  const [worst] = sorted;
  if (!worst) return null;
  const middle = median(sorted.map(({ value }) => value));
  return { ...worst, median: middle, ratio: middle === 0 ? 1 : worst.value / middle, count: sorted.length };
}
