import { BlockList, isIP } from 'node:net';

type Subnet = readonly [net: string, prefix: number, family: 'ipv4' | 'ipv6'];

/** Addresses that are not routed on the internet: RFC 1918, RFC 6598, RFC 3927, RFC 4193. */
export const isPrivate = within([
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
]);

export const isLoopback = within([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);

/** Valid on the local link only. */
export const isLinkLocal = within([
  ['169.254.0.0', 16, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
]);

/** A predicate for literal addresses; an IPv4-mapped IPv6 address (::ffff:10.0.0.1) counts as IPv4. */
export function within(subnets: readonly Subnet[]): (address: string) => boolean {
  const list = new BlockList();
  for (const [net, prefix, family] of subnets) list.addSubnet(net, prefix, family);
  return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/**
 * The host of an http:// URL outside loopback, link-local and private networks, where tokens and results can be read in
 * transit; null for https and for hosts whose addresses are all near. A name that cannot be resolved counts as far.
 */
export async function exposedHost(url: string, resolve: (name: string) => Promise<string[]>): Promise<string | null> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:') return null;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === 'localhost' || host.endsWith('.localhost')) return null;
  const addresses = isIP(host) > 0 ? [host] : await resolve(host).catch(() => []);
  return addresses.length > 0 && addresses.every(isNear) ? null : host;
}

/** Loopback, link-local, or a private network. */
export const isNear = (address: string): boolean => isLoopback(address) || isPrivate(address) || isLinkLocal(address);
