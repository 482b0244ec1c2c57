import { isIPv4, isIPv6 } from 'node:net';

/** What counts as one address: IPv4 as it is, the /64 of IPv6 (a machine with one address of it has all), `local` for none. */
export function addressKey(address: string | null | undefined): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0] ?? '';
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'local';
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
