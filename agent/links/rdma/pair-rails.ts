/** What one end tells the other of a rail. */
export interface RailName {
  device: string;
  port: number;
  link_layer: 'InfiniBand' | 'Ethernet';
}

/** Places of the two devices of one rail in the lists of the two ends. */
export interface RailPair {
  dialer: number;
  listener: number;
}

/**
 * Which device of one end talks to which of the other. Where the ends share at least half of their names, a name is a rail, so
 * that a node with a dead port does not shift all that follow it; else the place in the list is.
 * Ports of different kinds are never a pair. Both ends come to the same answer.
 */
export function pairRails(dialer: readonly RailName[], listener: readonly RailName[]): RailPair[] {
  const byName = dialer.flatMap((rail, place) => {
    const other = listener.findIndex(({ device, port }) => device === rail.device && port === rail.port);
    return other === -1 ? [] : [{ dialer: place, listener: other }];
  });
  const fewer = Math.min(dialer.length, listener.length);
  const byPlace = Array.from({ length: fewer }, (_, place) => ({ dialer: place, listener: place }));
  const pairs = byName.length * 2 >= fewer ? byName : byPlace;
  return pairs.filter((pair) => dialer[pair.dialer]?.link_layer === listener[pair.listener]?.link_layer);
}
