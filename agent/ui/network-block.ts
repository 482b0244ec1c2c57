import { mean } from '../../coordinator/figures/statistics.ts';
import { figureText } from './figure-text.ts';
import { linkMatrix } from './link-matrix.ts';
import { measuredFigures } from './link-view.ts';
import type { LinkView } from './link-view.ts';
import type { Paint } from './paint.ts';
import type { NetworkSummary, RunSummary } from '../run/run-summary.ts';
import { printable, wrapText } from './text-width.ts';

const WIDTH = 80;
/** Maximum number of matrix rows; every node has its own row if the width allows it. */
const ROWS_MAX = 90;

/**
 * For every cluster_network: how it ended for this node, the matrix of its links if requested, and where the verdicts
 * are.
 */
export function networkBlocks(summary: RunSummary, links: LinkView | null, paint: Paint): string[][] {
  return summary.network.map((run) => {
    const picture = links !== null && links.item === run.item ? links : null;
    return [
      ...(picture === null ? [] : linkMatrix(picture, { columns: WIDTH + 1, rows: ROWS_MAX }, paint)),
      ...wrapText(headline(run), WIDTH),
      ...(picture === null ? [] : wrapText(figures(picture), WIDTH - 2).map((line) => `  ${line}`)),
      ...(summary.job_url === null
        ? []
        : ["  verdicts on nodes and links: see the job's report", `  ${summary.job_url}`]),
    ];
  });
}

function headline({ outcome, message, nodes_joined: nodes, nodes_lost: lost, node }: NetworkSummary): string {
  const part = node === null ? 'without this node' : `${nodes} nodes, this one is number ${node}`;
  const missing = lost === 0 ? '' : `, ${lost} lost`;
  return printable(`cluster_network ${outcome}: ${part}${missing}${message === null ? '' : `; ${message}`}`);
}

/** The cells may include retests, so this is not the result's average, which excludes them. */
function figures(links: LinkView): string {
  const measured = measuredFigures(links);
  const [least] = measured;
  if (least === undefined) return 'no link was measured';
  return `over the cells above, not the job's result: mean ${figureText(mean(measured))}, least ${figureText(least)} Gb/s, ${measured.length} directions`;
}
