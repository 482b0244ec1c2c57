import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { isIPv4 } from 'node:net';
import type { Config } from '../../config.ts';
import { DomainError } from '../../errors.ts';
import { incomingOf, type HttpContext, type HttpEnv } from '../http-env.ts';

/**
 * Who may read the figures, which tell how much goes on here: who knows METRICS_TOKEN; without one only this machine
 * itself, and nobody by way of a proxy on it.
 */
export function scrapeGuard({
  metricsToken,
  trustedProxies,
}: Pick<Config, 'metricsToken' | 'trustedProxies'>): MiddlewareHandler<HttpEnv> {
  const expected = metricsToken === null ? null : digest(metricsToken);
  return async (c, next) => {
    if (expected !== null) {
      const given = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
      if (!timingSafeEqual(digest(given), expected))
        throw new DomainError('unauthenticated', 'Send the METRICS_TOKEN of this coordinator as a bearer token.');
    } else if (trustedProxies > 0 || !isOwnMachine(c)) {
      throw new DomainError(
        'not_found',
        'Figures are served to the machine itself only. METRICS_TOKEN opens them to others.',
      );
    }
    await next();
  };
}

/** Compared as digests, which have one length. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What proxies add to a request that they pass on. */
const passedOn = /^(x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|x-original-.*|true-client-ip|cf-.*)$/;

/** From loopback and to it by name, since a proxy on this machine comes from loopback too. A call within the process is one. */
function isOwnMachine(c: HttpContext): boolean {
  const incoming = incomingOf(c);
  if (!incoming) return true;
  const { socket, headers } = incoming;
  const named = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return (
    isLoopback(socket.remoteAddress?.replace(/^::ffff:/, '') ?? '') &&
    (named === 'localhost' || isLoopback(named.replace(/^\[|\]$/g, ''))) &&
    !Object.keys(headers).some((name) => passedOn.test(name))
  );
}

const isLoopback = (address: string): boolean => address === '::1' || (isIPv4(address) && address.startsWith('127.'));
