import { BlockList, isIPv4, isIPv6, isIP, type LookupFunction } from 'node:net';
import { lookup } from 'node:dns';
import { buildConnector } from 'undici';

/** Judges an IPv4 or IPv6 address. */
export type MayConnect = (address: string) => boolean;

/** The address in the URL, or the one its host name resolves to, may not be connected to. */
export class RefusedAddressError extends Error {
  readonly code = 'REFUSED_ADDRESS';
}

/** Connects only to addresses that pass `mayConnect`. */
export function connectWhereAllowed(
  mayConnect: MayConnect,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: lookupWhereAllowed(mayConnect) });
  return (target, done) => {
    // An address in the URL is connected to without a look-up.
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !mayConnect(host)) queueMicrotask(() => done(new RefusedAddressError(), null));
    else connect(target, done);
  };
}

/**
 * A name is resolved once, and exactly the addresses that were checked are connected to: a name server that answers
 * differently a moment later (DNS rebinding) gains nothing. A name with any address that does not pass is refused.
 */
export const lookupWhereAllowed =
  (mayConnect: MayConnect, resolve = lookup): LookupFunction =>
  (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || first === undefined) return done(error, '');
      if (!found.every(({ address }) => mayConnect(address))) return done(new RefusedAddressError(), '');
      return options.all === true ? done(null, found) : done(null, first.address, first.family);
    });
  };

/** Whether an address belongs to the public Internet, by IANA's registries of special-purpose addresses (RFC 6890). */
export function isPublicAddress(address: string): boolean {
  // A scope id (`%`) ties an address to one link, so it is not public.
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  if (mapped.check(address, 'ipv6') || translated.check(address, 'ipv6'))
    return isPublicAddress(lastFourBytes(address));
  return unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

const special = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, including the clouds' 169.254.169.254, which hands out the machine's credentials.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 leads to an IPv4 address of the caller's choice.
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, bits, 'ipv6');

/** All public IPv6 addresses. Loopback, fc00::/7, fe80::/10, multicast and unallocated ranges are outside it. */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');
/** NAT64 (RFC 6052): networks without IPv4 reach public IPv4 hosts through it, so the embedded address is checked. */
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

function lastFourBytes(address: string): string {
  const dotted = /\d+\.\d+\.\d+\.\d+$/.exec(address)?.[0];
  if (dotted !== undefined) return dotted;
  // The URL parser normalises every form to hex groups with at most one `::`; the last two groups hold the four bytes.
  const [high = '', low = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  const value = Number.parseInt(high || '0', 16) * 0x10000 + Number.parseInt(low || '0', 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');
}
