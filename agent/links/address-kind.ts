import { within } from '../../coordinator/contract/address-networks.ts';

/**
 * Loopback, unspecified and multicast addresses; fe80::/10 too, since its zone index is only valid on the machine
 * itself.
 */
export const isUnusable = within([
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

/** In the format of the runner's commands: `10.0.0.2:4711`, `[fd00::2]:4711`. */
export const withPort = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
