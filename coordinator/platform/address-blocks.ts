import { isIPv4, isIPv6 } from 'node:net';

/**
 * The key that identifies callers without a credential: an IPv4 address unchanged, the /64 of an IPv6 address (a machine
 * with one address in it can use all of them), `local` for no address.
 */
export function addressKey(address: string | null | undefined): string {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return plain;
  return isIPv6(plain) ? `${leadingGroups(plain, 4)}::/64` : 'local';
}

/** The network whose callers share limits: /24 of IPv4, /48 of IPv6 (what one site usually gets), `local` for no address. */
export function networkOf(address: string | null): string {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  return isIPv6(plain) ? `${leadingGroups(plain, 3)}::/48` : 'local';
}

/** Removes the zone; an IPv4-mapped address from an IPv6 socket becomes plain IPv4. */
const plainAddress = (address: string | null | undefined): string =>
  (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0] ?? '';

/** The first `count` of the eight groups, without leading zeros; `::` stands for the missing zero groups. */
function leadingGroups(address: string, count: number): string {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
