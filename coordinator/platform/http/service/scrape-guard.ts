import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { isIPv4 } from 'node:net';
import type { Config } from '../../config.ts';
import { DomainError } from '../../errors.ts';
import { incomingOf, type HttpContext, type HttpEnv } from '../http-env.ts';

/**
 * Restricts who can read the metrics, because they reveal the load: if METRICS_TOKEN is set, callers that send it; otherwise
 * only this machine itself, and nobody through a proxy on it.
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
      throw new DomainError('not_found', 'Metrics are served only to this machine. Set METRICS_TOKEN to allow others.');
    }
    await next();
  };
}

/** Tokens are compared as digests, which have equal length. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Headers that proxies add to a request that they forward. */
const passedOn = /^(x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|x-original-.*|true-client-ip|cf-.*)$/;

/** From loopback, to a loopback host name and without proxy headers: a local proxy is on loopback too. In-process calls pass. */
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
