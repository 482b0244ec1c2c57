import type { MatrixCell, NetworkMatrix } from '../facts/network-grid.ts';
import { encodePng } from './encode-png.ts';
import type { Paper, TextStyle } from './paper.ts';
import { contentWidth, ink, sheet, size } from './theme.ts';

interface MatrixMap {
  matrix: NetworkMatrix;
  names: readonly string[];
  /** nodes named beside their row */
  marked: readonly number[];
  print: (value: number) => string;
}

/** Up to this many nodes, cells show their numbers. */
export const MOST_WITH_NUMBERS = 24;
const NAME_WIDTH = 74;
const AXIS = 22;
/** Room for names beside a picture. */
const BESIDE = 76;
/** Maximum rings; if more cells are suspect, they are visible without them. */
const MAX_RINGS = 60;
/** Steps of the scale between 0 and 1 in the palette of a picture. */
const STEPS = 200;
/** Pixels per side of a cell, so that a viewer that smooths images blurs only the cell's edge. */
const CELL_PIXELS = 4;

/** Side of a picture in points: with fewer nodes, a smaller picture still has large cells. */
export const pictureSide = (nodes: number): number => (nodes <= 128 ? 340 : 400);

/** A square map, sender in rows and receiver in columns: numbers on colours, or for many nodes colours alone. */
export function matrixMap(paper: Paper, map: MatrixMap): boolean {
  return map.matrix.size <= MOST_WITH_NUMBERS ? numbers(paper, map) : picture(paper, map);
}

function numbers(paper: Paper, { matrix, names, marked, print }: MatrixMap): boolean {
  const count = matrix.size;
  const isRoomy = count <= 8;
  const width = Math.min(56, (contentWidth - NAME_WIDTH) / count);
  const height = isRoomy ? 16 : 13;
  const style: TextStyle = { size: isRoomy ? size.small : count <= 16 ? 6 : 5.2, maxLines: 1 };
  const head: TextStyle = { ...style, font: 'bold', color: ink.muted };
  if (!paper.reserve(height * (count + 1) + 4)) return false;
  const line = (text: string, x: number, room: number, look: TextStyle): void => {
    paper.write(text, x, paper.y + (height - paper.lineHeight(look)) / 2, room, look);
  };
  line('from \\ to', sheet.left, NAME_WIDTH - 4, head);
  names.forEach((name, column) => {
    const text = isRoomy ? `${column} ${name}` : String(column);
    line(text, sheet.left + NAME_WIDTH + column * width + 1, width - 2, { ...head, align: 'center' });
  });
  paper.y += height;
  names.forEach((name, row) => {
    const look = marked.includes(row) ? { ...head, color: ink.bad } : head;
    line(`${row} ${name}`, sheet.left, NAME_WIDTH - 4, look);
    for (let column = 0; column < count; column += 1) {
      const cell = matrix.cellAt(row, column);
      const x = sheet.left + NAME_WIDTH + column * width;
      const colour = colourOf(cell);
      paper.doc.rect(x, paper.y, width, height).lineWidth(0.5).fillAndStroke(cssColour(colour), '#ffffff');
      const text = signOf(cell, print);
      const color = isDark(colour) ? '#ffffff' : ink.text;
      line(text, x, width, { ...style, align: 'center', color, font: text.startsWith('!') ? 'bold' : 'regular' });
    }
    paper.y += height;
  });
  paper.y += 10;
  return true;
}

function signOf(cell: MatrixCell, print: (value: number) => string): string {
  if (cell.kind === 'failed') return '✗';
  if (cell.kind === 'absent') return '–';
  return cell.kind === 'diagonal' ? '' : `${cell.suspect ? '!' : ''}${print(cell.value)}`;
}

function colourOf(cell: MatrixCell): number {
  if (cell.kind === 'value') return shareColour(cell.share);
  return cell.kind === 'failed' ? failedColour : cell.kind === 'absent' ? absentColour : diagonalColour;
}

function picture(paper: Paper, { matrix, names, marked }: MatrixMap): boolean {
  const side = pictureSide(matrix.size);
  if (!paper.reserve(side + AXIS + 8)) return false;
  const left = sheet.left + AXIS;
  const top = paper.y + AXIS / 2;
  const cell = side / matrix.size;
  paper.doc.image(pixelsOf(matrix), left, top, { width: side, height: side });
  paper.doc.rect(left, top, side, side).lineWidth(0.5).stroke(ink.muted);
  const tick: TextStyle = { size: 6, color: ink.muted, maxLines: 1 };
  const step = matrix.size <= 64 ? 8 : 32;
  for (let node = 0; node < matrix.size; node += step) {
    const middle = (node + 0.5) * cell;
    paper.write(String(node), sheet.left, top + middle - 4, AXIS - 4, { ...tick, align: 'right' });
    paper.write(String(node), left + middle - 15, paper.y, 30, { ...tick, align: 'center' });
  }
  ringSuspects(paper, matrix, { left, top, cell });
  nameRows(paper, { names, marked }, { left: left + side, top, cell, bottom: top + side });
  paper.y = top + side + 10;
  return true;
}

interface Place {
  left: number;
  top: number;
  /** side of a cell */
  cell: number;
}

/** One bad link among 65,280 cells is half a millimetre: a ring shows where to look. */
function ringSuspects(paper: Paper, matrix: NetworkMatrix, { left, top, cell }: Place): void {
  let rings = 0;
  for (let row = 0; row < matrix.size; row += 1) {
    for (let column = 0; column < matrix.size && rings < MAX_RINGS; column += 1) {
      const found = matrix.cellAt(row, column);
      if (found.kind !== 'value' || !found.suspect) continue;
      paper.doc
        .circle(left + (column + 0.5) * cell, top + (row + 0.5) * cell, Math.max(4, cell))
        .lineWidth(0.8)
        .stroke(ink.bad);
      rings += 1;
    }
  }
}

/** Names of bad nodes beside their rows; names that would overlap move down. */
function nameRows(
  paper: Paper,
  { names, marked }: Pick<MatrixMap, 'names' | 'marked'>,
  { left, top, cell, bottom }: Place & { bottom: number },
): void {
  const style: TextStyle = { size: 6, color: ink.bad, font: 'bold', maxLines: 1 };
  let free = top - 4;
  for (const node of marked.toSorted((a, b) => a - b)) {
    const middle = top + (node + 0.5) * cell;
    const y = Math.max(free, middle - 4);
    if (y > bottom - 6) break;
    paper.doc
      .moveTo(left, middle)
      .lineTo(left + 6, y + 4)
      .lineWidth(0.6)
      .stroke(ink.bad);
    paper.write(`${node} ${names[node] ?? ''}`, left + 8, y, BESIDE, style);
    free = y + 8;
  }
}

function pixelsOf(matrix: NetworkMatrix): Buffer {
  const palette = [
    failedColour,
    absentColour,
    diagonalColour,
    ...Array.from({ length: STEPS + 1 }, (_, step) => shareColour(step / STEPS)),
  ];
  const width = matrix.size * CELL_PIXELS;
  const pixels = new Uint8Array(width * width);
  for (let row = 0; row < matrix.size; row += 1) {
    const line = pixels.subarray(row * CELL_PIXELS * width, row * CELL_PIXELS * width + width);
    for (let column = 0; column < matrix.size; column += 1)
      line.fill(paletteIndex(matrix.cellAt(row, column)), column * CELL_PIXELS, (column + 1) * CELL_PIXELS);
    for (let copy = 1; copy < CELL_PIXELS; copy += 1) pixels.set(line, (row * CELL_PIXELS + copy) * width);
  }
  return encodePng(width, pixels, palette);
}

function paletteIndex(cell: MatrixCell): number {
  if (cell.kind === 'value') return 3 + Math.round(Math.min(1, Math.max(0, cell.share)) * STEPS);
  return cell.kind === 'failed' ? 0 : cell.kind === 'absent' ? 1 : 2;
}

/** The colour scale with values at some shares, and the colours of cells without a measurement. */
export function matrixLegend(
  paper: Paper,
  marks: readonly { share: number; text: string }[],
  hasAbsent: boolean,
): void {
  const width = 220;
  const style: TextStyle = { size: size.tiny, color: ink.muted, maxLines: 1 };
  if (!paper.reserve(26)) return;
  const parts = 60;
  for (let part = 0; part < parts; part += 1) {
    paper.doc
      .rect(sheet.left + AXIS + (part * width) / parts, paper.y, width / parts + 0.2, 8)
      .fill(cssColour(shareColour((part + 0.5) / parts)));
  }
  for (const { share, text } of marks)
    paper.write(text, sheet.left + AXIS + share * width - 30, paper.y + 9, 60, { ...style, align: 'center' });
  let x = sheet.left + AXIS + width + 40;
  const sign = (colour: number, text: string): void => {
    paper.doc.rect(x, paper.y, 10, 8).lineWidth(0.5).fillAndStroke(cssColour(colour), ink.muted);
    paper.write(text, x + 14, paper.y - 0.5, 120, style);
    x += 18 + paper.widthOf(text, style) + 10;
  };
  sign(failedColour, 'failed');
  if (hasAbsent) sign(absentColour, 'not in the graph');
  sign(diagonalColour, 'the node itself');
  paper.y += 24;
}

/**
 * Colour of a share: blue at 1, then with decreasing share pale, orange and brown. Blue and orange are distinguishable
 * with every common form of colour blindness; below 0.85 the colour also darkens with every step.
 */
const stops: readonly [share: number, colour: readonly [number, number, number]][] = [
  [0, [0x6e, 0x2a, 0x00]],
  [0.25, [0xa8, 0x48, 0x0a]],
  [0.5, [0xdd, 0x7a, 0x1f]],
  [0.75, [0xf7, 0xc8, 0x73]],
  [0.85, [0xf3, 0xe3, 0xbd]],
  [0.95, [0xc6, 0xdb, 0xea]],
  [1, [0x8f, 0xbf, 0xe0]],
];

/** Cells without a measurement, in colours that differ from those above. */
export const failedColour = 0x000000;
export const absentColour = 0xffffff;
export const diagonalColour = 0xa9b0b8;

/** 0xRRGGBB; shares above 1 look like 1. */
export function shareColour(share: number): number {
  const at = Math.min(1, Math.max(0, share));
  const upper = stops.findIndex(([stop]) => at <= stop);
  const [high, to] = stops[upper] ?? [1, [0, 0, 0] as const];
  const [low, from] = stops[upper - 1] ?? [high, to];
  const part = high === low ? 0 : (at - low) / (high - low);
  const mix = (channel: 0 | 1 | 2): number => Math.round(from[channel] + (to[channel] - from[channel]) * part);
  return (mix(0) << 16) | (mix(1) << 8) | mix(2);
}

/** Whether text on this colour must be white. */
export const isDark = (colour: number): boolean =>
  0.299 * (colour >> 16) + 0.587 * ((colour >> 8) & 0xff) + 0.114 * (colour & 0xff) < 110;

export const cssColour = (colour: number): string => `#${colour.toString(16).padStart(6, '0')}`;
