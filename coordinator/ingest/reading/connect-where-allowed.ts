import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/** Judges an IPv4 or IPv6 address. */
export type MayConnect = (address: string) => boolean;

/** The address that a name leads to, or that stands in its place, may not be connected to. */
export class RefusedAddressError extends Error {
  readonly code = 'REFUSED_ADDRESS';
}

/** Connections to addresses that pass alone. */
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
 * A name is looked up once, and what was judged is what is connected to: a name server that answers otherwise a moment
 * later (DNS rebinding) gains nothing. A name with one address that does not pass is refused whole.
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
