import type { Platform } from '../context.ts';
import type { HttpContext } from './http-env.ts';

const HOUR_MS = 3_600_000;

/**
 * X-Forwarded-For while TRUSTED_PROXIES is 0 mostly means a proxy of the operator's that nobody told us of: all callers then
 * have its address, and limits per address hit them together. Said in the log, at most once an hour: a stranger may
 * send the header too. What it holds stays out of the log.
 */
export function forwardedWarning({ config, log, now }: Platform): (c: HttpContext) => void {
  let silentUntil = 0;
  return (c) => {
    if (config.trustedProxies > 0 || c.req.header('x-forwarded-for') === undefined) return;
    const time = now().getTime();
    if (time < silentUntil) return;
    silentUntil = time + HOUR_MS;
    log.warn(
      { peer: c.get('client').address ?? undefined },
      'A request came with X-Forwarded-For, which is ignored while TRUSTED_PROXIES is 0. If a proxy of yours stands in front, set TRUSTED_PROXIES=1 (the number of proxies), or all its callers count as one address; if none does, the caller made it up.',
    );
  };
}
