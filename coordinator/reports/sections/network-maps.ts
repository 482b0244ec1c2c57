import { bandwidthMatrix, latencyMatrix, type NetworkMatrix } from '../facts/network-grid.ts';
import { nodeNames } from '../facts/node-names.ts';
import { printNumber } from '../facts/print-number.ts';
import { paragraph } from '../layout/blocks.ts';
import { matrixLegend, matrixMap, MOST_WITH_NUMBERS, pictureSide } from '../layout/matrix-map.ts';
import type { Paper } from '../layout/paper.ts';
import type { ReportNetwork } from '../report-model.ts';

/** If the highest latency is at most this multiple of the lowest, a sentence replaces the map. */
const EVEN_WITHIN = 1.5;

/** Maps of the nodes: bandwidth of every direction and, if it differs between links, latency. */
export function networkMaps(paper: Paper, network: ReportNetwork): void {
  bandwidthMap(paper, network);
  latencyMap(paper, network);
}

function bandwidthMap(paper: Paper, network: ReportNetwork): void {
  const matrix = bandwidthMatrix(network);
  const { reference } = matrix;
  if (reference === null || !opened(paper, matrix)) return;
  paragraph(paper, 'Bandwidth of every link, Gb/s: from the node of the row to the node of the column', {
    font: 'bold',
  });
  const signs =
    matrix.size <= MOST_WITH_NUMBERS
      ? ' ! suspect direction, ✗ failed, – not in the graph.'
      : ' A ring marks a suspect direction.';
  paragraph(
    paper,
    `The scale ends at ${printNumber(reference)} Gb/s, the upper quartile of all directions; the lowest is ${printNumber(matrix.low)}, the highest ${printNumber(matrix.high)}. A row that stands out is a node that sends badly, a column one that receives badly.${signs}`,
  );
  legendOf(paper, network, (share) => printNumber(reference * share), matrix);
  draw(paper, network, matrix);
}

function latencyMap(paper: Paper, network: ReportNetwork): void {
  const matrix = latencyMatrix(network);
  const { reference, low, high } = matrix;
  if (reference === null || low === null || high === null) return;
  if (high <= EVEN_WITHIN * Math.max(low, Number.MIN_VALUE)) {
    paragraph(
      paper,
      `Latency is even: ${printNumber(low)} to ${printNumber(high)} µs, median ${printNumber(reference)} µs.`,
    );
    return;
  }
  if (!opened(paper, matrix)) return;
  paragraph(paper, 'Latency of every link, µs: half of the median round trip', { font: 'bold' });
  paragraph(
    paper,
    `Blue is the median, ${printNumber(reference)} µs, or less; the lowest is ${printNumber(low)}, the highest ${printNumber(high)}.`,
  );
  legendOf(paper, network, (share) => (share === 0 ? '∞' : printNumber(reference / share)), matrix);
  draw(paper, network, matrix);
}

/** Room for title, legend and a good part of the map, so that they stay together. */
const opened = (paper: Paper, { size }: NetworkMatrix): boolean =>
  paper.reserve(size <= MOST_WITH_NUMBERS ? 70 + 16 * size : 90 + pictureSide(size));

function legendOf(paper: Paper, network: ReportNetwork, at: (share: number) => string, { size }: NetworkMatrix): void {
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => ({ share, text: at(share) }));
  matrixLegend(paper, marks, network.links.length < (size * (size - 1)) / 2);
}

function draw(paper: Paper, network: ReportNetwork, matrix: NetworkMatrix): void {
  matrixMap(paper, {
    matrix,
    names: nodeNames(network),
    marked: [...new Set(network.results.bad_nodes.map(({ node }) => node))],
    print: printCell,
  });
}

/** Three digits: a cell has room for no more. */
function printCell(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
