import { isIPv4, isIPv6 } from 'node:net';

/** The network that guesses share: /24 of IPv4, /48 of IPv6 (what one site usually gets), `local` for no address. */
export function networkOf(address: string | null): string {
  const plain = address?.split('%')[0] ?? '';
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIPv6(plain)) return `${groupsOf(plain).slice(0, 3).join(':')}::/48`;
  return 'local';
}

/** The leading groups without leading zeros; `::` stands for as many zero groups as are missing of eight. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(missing).fill('0'), ...right].map((group) =>
    group.replace(/^0+(?=.)/, '').toLowerCase(),
  );
}
