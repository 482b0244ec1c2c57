import { BlockList, isIPv6 } from 'node:net';
import type { NetworkEndpoint } from '../contract/network-protocol.ts';

type Place = Pick<NetworkEndpoint, 'address' | 'prefix_length' | 'speed_mbps'>;

/** The order in which to try another node's addresses: those in one of the dialer's own subnets first, then the fastest. */
export function addressOrder<T extends Place>(near: BlockList, to: readonly T[]): T[] {
  const rank = (place: Place): number => (isWithin(near, place.address) ? 0 : 1);
  return to.toSorted((a, b) => rank(a) - rank(b) || (b.speed_mbps ?? 0) - (a.speed_mbps ?? 0));
}

/** The endpoint of `from` in the same subnet as `address`, to connect from; null if there is none and routing decides. */
export function localEndpoint<T extends Place>(from: readonly T[], address: string): T | null {
  return from.find((place) => isWithin(subnetsOf([place]), address)) ?? null;
}

/** The subnets of these interfaces. */
export function subnetsOf(places: readonly Place[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix_length } of places) {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    if (prefix_length !== null && prefix_length > 0 && prefix_length <= most)
      list.addSubnet(withoutZone(address), prefix_length, family);
  }
  return list;
}

const isWithin = (subnets: BlockList, address: string): boolean =>
  subnets.check(withoutZone(address), isIPv6(address) ? 'ipv6' : 'ipv4');

/** A link-local address may carry its interface as a zone. */
const withoutZone = (address: string): string => address.replace(/%.*$/, '');
