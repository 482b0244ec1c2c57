import { higherQuantile, orNull } from '../../coordinator/figures/statistics.ts';
import { figureText } from './figure-text.ts';
import { directionOf, measuredFigures, type LinkView, slowestDirections, type Direction } from './link-view.ts';
import { plainPaint, type Paint, type Style } from './paint.ts';
import { fitWidth, padEnd, padStart, printable, widthOf } from './text-width.ts';

/** `1234!` and a blank. */
const LABEL_WIDTH = 6;
/** Columns per node; the widest that fits is used: the figure itself, its percentage of the scale, tenths of the scale. */
const CELL_WIDTHS = [7, 3, 2, 1] as const;
/** Head, column numbers, legend. */
const FRAME_LINES = 3;
const NAME_WIDTH_MIN = 8;
/** The colour of a cell whose share of the scale is below the limit; the last one is good. */
const HEAT: readonly [number, Style][] = [
  [0.5, 'heat0'],
  [0.7, 'heat1'],
  [0.85, 'heat2'],
  [Number.POSITIVE_INFINITY, 'heat3'],
];

/**
 * All links as rows of senders and columns of receivers, then the worst of them. Never wider than `columns` nor longer than
 * `rows`: if there are too many nodes, neighbours by number share a cell, which shows their worst, and the heading says so.
 */
export function linkMatrix(
  links: LinkView,
  { columns, rows }: { columns: number; rows: number },
  paint: Paint,
): string[] {
  const room = Math.max(LABEL_WIDTH + 1, columns - 1);
  const worst = worstLinks(links, room, Math.max(0, Math.min(6, rows - FRAME_LINES - 4)));
  const numbers = [...links.nodes.keys()].toSorted((a, b) => a - b);
  const places = Math.max(1, Math.min(room - LABEL_WIDTH, rows - FRAME_LINES - worst.length));
  const size = Math.max(1, Math.ceil(numbers.length / places));
  const groups = Array.from({ length: Math.ceil(numbers.length / size) }, (_, index) =>
    numbers.slice(index * size, index * size + size),
  );
  const width = CELL_WIDTHS.find((wide) => LABEL_WIDTH + groups.length * wide <= room) ?? 1;
  const scale = scaleOf(links);
  const lines = groups.map((group) => matrixRow(links, group, groups, { width, scale, room, paint }));
  return [
    paint('bold', fitWidth(headText(links, numbers.length, size), room)),
    fitWidth(columnNumbers(groups, width), room),
    ...lines,
    legend(scale, width, room, paint),
    ...worst.map((line) => paint('dim', line)),
  ];
}

/** The 95th percentile of the measured rates; null before the first one. */
function scaleOf(links: LinkView): number | null {
  const figures = measuredFigures(links);
  return figures[Math.ceil(figures.length * 0.95) - 1] ?? null;
}

function headText(links: LinkView, nodes: number, size: number): string {
  const possible = (nodes * (nodes - 1)) / 2;
  const known = links.directions.size / 2;
  const grouped = size === 1 ? '' : `; a cell: the worst of ${size} x ${size} nodes`;
  return `Gb/s from row to column, ${known} of ${possible} links${grouped}`;
}

/** Every number if there is room, else every tenth column. */
function columnNumbers(groups: readonly number[][], width: number): string {
  const cells = groups.map((group, index) => {
    const first = String(group[0] ?? '');
    if (width > first.length) return padStart(first, width);
    return index % 10 === 0 ? first : '';
  });
  if (groups.every(([first = 0]) => width > String(first).length)) return ' '.repeat(LABEL_WIDTH) + cells.join('');
  let line = ' '.repeat(LABEL_WIDTH);
  for (const [index, text] of cells.entries()) {
    const at = LABEL_WIDTH + index * width;
    if (index % 10 === 0) line = padEnd(line, at + width - 1) + text;
  }
  return line;
}

interface RowLook {
  width: number;
  scale: number | null;
  room: number;
  paint: Paint;
}

function matrixRow(links: LinkView, senders: number[], groups: readonly number[][], look: RowLook): string {
  const [first = 0] = senders;
  const isLost = senders.some((node) => links.nodes.get(node)?.is_lost === true);
  const label = `${padStart(String(first), LABEL_WIDTH - 2)}${isLost ? '!' : ' '} `;
  const cells = groups.map((receivers) => cellText(links, senders, receivers, look));
  const left = look.room - LABEL_WIDTH - groups.length * look.width - 2;
  const name = senders.length === 1 && left >= NAME_WIDTH_MIN ? (links.nodes.get(first)?.name ?? '') : '';
  return label + cells.join('') + (name === '' ? '' : `  ${fitWidth(printable(name), left)}`);
}

/** `x`: one of its links has failed; a dot: nothing measured yet; blank: a node and itself. */
function cellText(links: LinkView, senders: number[], receivers: number[], { width, scale, paint }: RowLook): string {
  let least = Number.POSITIVE_INFINITY;
  let isFailed = false;
  for (const sender of senders)
    for (const receiver of receivers) {
      const direction = directionOf(links, sender, receiver);
      if (direction === undefined) continue;
      if (direction.gbps === null) isFailed = true;
      else least = Math.min(least, direction.gbps);
    }
  const isSelf = senders.length === 1 && senders[0] === receivers[0];
  if (isFailed) return paint('failed', padStart('x', width));
  if (least === Number.POSITIVE_INFINITY || scale === null) return paint('dim', padStart(isSelf ? ' ' : '·', width));
  const share = scale > 0 ? least / scale : 1;
  return paint(heatOf(share), padStart(figureOf(least, share, width), width));
}

function figureOf(gbps: number, share: number, width: number): string {
  if (width >= 7) return shortFigure(gbps);
  return width === 3 ? String(Math.min(99, Math.floor(share * 100))) : String(Math.min(9, Math.floor(share * 10)));
}

/** Six characters at most, so that figures do not touch: `0.0382`, `94.12`. */
function shortFigure(gbps: number): string {
  const text = figureText(gbps);
  return text.length < 7 ? text : gbps.toFixed(4);
}

const heatOf = (share: number): Style => HEAT.find(([below]) => share < below)?.[1] ?? 'heat3';

function legend(scale: number | null, width: number, room: number, paint: Paint): string {
  const top = scale === null ? '' : ` of ${figureText(scale)} Gb/s`;
  const unit = width >= 7 ? 'cells in Gb/s' : width === 3 ? `cells in percent${top}` : `cells in tenths${top}`;
  const marks = fitWidth(`${unit}; x failed, · not yet, ! lost`, room);
  const names = ['<50%', '<70%', '<85%', 'more'];
  const hasRoom = widthOf(marks) + 2 + names.join('').length <= room;
  if (paint === plainPaint || scale === null || !hasRoom) return marks;
  return `${marks}  ${names.map((text, index) => paint(HEAT[index]?.[1] ?? 'heat3', text)).join('')}`;
}

/** The failed links in one line, then the slowest directions with names and figures: at most `count` lines, `room` wide. */
function worstLinks(links: LinkView, room: number, count: number): string[] {
  const failed = [...links.directions.values()].filter(
    ({ gbps, sender, receiver }) => gbps === null && sender < receiver,
  );
  const failures = failed.length === 0 ? [] : [`failed: ${failureText(links, failed)}`];
  const figures = measuredFigures(links);
  const middle = orNull(higherQuantile(figures, 0.5)) ?? 0;
  const slow = slowestDirections(links, Math.max(0, count - failures.length)).map((direction, index) => {
    const share = middle > 0 ? `, ${Math.round((direction.gbps / middle) * 100)} % of the median` : '';
    const latency = direction.latency_us === null ? '' : `, ${figureText(direction.latency_us)} µs`;
    const pair = `${nodeText(links, direction.sender)} -> ${nodeText(links, direction.receiver)}`;
    return `${index === 0 ? 'least:' : '      '} ${padStart(figureText(direction.gbps), 6)} Gb/s${share}${latency}  ${pair}`;
  });
  return [...failures, ...slow].slice(0, count).map((line) => fitWidth(line, room));
}

/** The nodes with the most failures first: a lost node fails with all others. */
function failureText(links: LinkView, failed: Direction[]): string {
  const perNode = Map.groupBy(
    failed.flatMap(({ sender, receiver }) => [sender, receiver]),
    (node) => node,
  );
  const nodes = [...perNode].toSorted(([a, one], [b, other]) => other.length - one.length || a - b);
  const named = nodes.slice(0, 4).map(([node, all]) => `${nodeText(links, node)} ${all.length}`);
  return `${failed.length} ${failed.length === 1 ? 'link' : 'links'}; by node: ${named.join(', ')}${nodes.length > 4 ? ', …' : ''}`;
}

function nodeText(links: LinkView, node: number): string {
  const name = links.nodes.get(node)?.name;
  return name === undefined ? String(node) : `${node} ${printable(name)}`;
}
