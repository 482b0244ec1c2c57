import type { LinksEvent } from '../run/network-event.ts';

/** One direction of one link, as reported by the coordinator. */
export interface Direction {
  sender: number;
  receiver: number;
  /** Null if the link has failed. */
  gbps: number | null;
  latency_us: number | null;
  status: string;
}

/** The links of one cluster_network, accumulated from the `links` events. */
export interface LinkView {
  item: number;
  nodes: Map<number, { name: string; is_lost: boolean }>;
  /** by sender and receiver, see `keyOf` */
  directions: Map<number, Direction>;
}

/** Adds one event; another run of the job starts over. */
export function foldLinks(view: LinkView | null, event: LinksEvent): LinkView {
  const links: LinkView =
    view !== null && view.item === event.item ? view : { item: event.item, nodes: new Map(), directions: new Map() };
  for (const { node, name, state } of event.nodes) links.nodes.set(node, { name, is_lost: state === 'lost' });
  for (const { source_node: a, target_node: b, forward_gbps, reverse_gbps, latency_us, status } of event.cells) {
    const isOk = status === 'ok';
    put(links, { sender: a, receiver: b, gbps: isOk ? forward_gbps : null, latency_us, status });
    put(links, { sender: b, receiver: a, gbps: isOk ? reverse_gbps : null, latency_us, status });
  }
  return links;
}

export const directionOf = (links: LinkView, sender: number, receiver: number): Direction | undefined =>
  links.directions.get(keyOf(sender, receiver));

/** The `count` slowest measured directions, the slowest first. One pass: 256 nodes have 65,280. */
export function slowestDirections(links: LinkView, count: number): (Direction & { gbps: number })[] {
  const slowest: (Direction & { gbps: number })[] = [];
  for (const one of links.directions.values()) {
    const { gbps } = one;
    const last = slowest.at(-1);
    if (gbps === null || count === 0 || (slowest.length === count && last !== undefined && gbps >= last.gbps)) continue;
    const at = slowest.findIndex((other) => other.gbps > gbps);
    slowest.splice(at === -1 ? slowest.length : at, 0, { ...one, gbps });
    slowest.length = Math.min(slowest.length, count);
  }
  return slowest;
}

/** The measured figures of all directions, sorted. */
export function measuredFigures(links: LinkView): Float64Array {
  const figures = new Float64Array(links.directions.size);
  let count = 0;
  for (const { gbps } of links.directions.values()) if (gbps !== null) figures[count++] = gbps;
  return figures.subarray(0, count).toSorted();
}

function put(links: LinkView, direction: Direction): void {
  links.directions.set(keyOf(direction.sender, direction.receiver), direction);
}

/** Numbers of nodes are below 256. */
const keyOf = (sender: number, receiver: number): number => sender * 256 + receiver;
