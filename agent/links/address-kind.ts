import { within } from '../../coordinator/contract/address-networks.ts';

/** Loopback, unspecified and multicast; fe80::/10 too, since its zone is known to its owner only. */
export const isUnusable = within([
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

/** As the runner takes it in a word: `10.0.0.2:4711`, `[fd00::2]:4711`. */
export const withPort = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
