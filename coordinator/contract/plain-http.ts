import { isIP } from 'node:net';
import { isLinkLocal, isLoopback, isPrivate } from './address-networks.ts';

/**
 * The host of an http:// address that lies beyond loopback and private networks, where tokens and results are readable on
 * the way; null for https and for hosts all of whose addresses are near. A name that cannot be resolved counts as far.
 */
export async function exposedHost(url: string, resolve: (name: string) => Promise<string[]>): Promise<string | null> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:') return null;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === 'localhost' || host.endsWith('.localhost')) return null;
  const addresses = isIP(host) > 0 ? [host] : await resolve(host).catch(() => []);
  return addresses.length > 0 && addresses.every(isNear) ? null : host;
}

/** Loopback, this wire, or a private network. */
export const isNear = (address: string): boolean => isLoopback(address) || isPrivate(address) || isLinkLocal(address);
