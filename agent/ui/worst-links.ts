import { higherQuantile, orNull } from '../../coordinator/figures/statistics.ts';
import { figureText } from './figure-text.ts';
import { measuredFigures, slowestDirections } from './link-view.ts';
import type { Direction, LinkView } from './link-view.ts';
import { fitWidth, padStart, printable } from './text-width.ts';

/** What failed in one line, then the slowest directions with names and figures: at most `count` lines of `room` characters. */
export function worstLinks(links: LinkView, room: number, count: number): string[] {
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

/** The nodes with most failures first: one that is lost fails with all. */
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
