import { BlockList } from 'node:net';

/** Addresses that are not routed on the internet: RFC 1918, RFC 6598, RFC 3927, RFC 4193. */
const PRIVATE = [
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
] as const;

/** Loopback, unspecified and multicast; fe80::/10 too, since its zone is known to its owner only. */
const UNUSABLE = [
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
] as const;

const privateList = listOf(PRIVATE);
const unusableList = listOf(UNUSABLE);
const linkLocalList = listOf([['169.254.0.0', 16, 'ipv4']]);

export const isPrivate = (address: string): boolean => privateList.check(address, familyOf(address));
export const isUnusable = (address: string): boolean => unusableList.check(address, familyOf(address));
export const isLinkLocal = (address: string): boolean => linkLocalList.check(address, familyOf(address));

/** As the runner takes it in a word: `10.0.0.2:4711`, `[fd00::2]:4711`. */
export const withPort = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

function listOf(subnets: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix, family] of subnets) list.addSubnet(net, prefix, family);
  return list;
}
