import type { Client, Platform } from '../context.ts';
import type { ReadHeader } from './request-id.ts';

const HOUR_MS = 3_600_000;

/**
 * X-Forwarded-For while TRUSTED_PROXIES is 0 mostly means a proxy of the operator's that nobody told us of: all callers then
 * have its address, and limits per address hit them together. Said in the log, at most once an hour: a stranger may
 * send the header too. What it holds stays out of the log.
 */
export function forwardedWarning({ config, log, now }: Platform): (header: ReadHeader, client: Client) => void {
  let silentUntil = 0;
  return (header, { address }) => {
    if (config.trustedProxies > 0 || header('x-forwarded-for') === undefined) return;
    const time = now().getTime();
    if (time < silentUntil) return;
    silentUntil = time + HOUR_MS;
    log.warn(
      { peer: address ?? undefined },
      'A request came with X-Forwarded-For, which is ignored while TRUSTED_PROXIES is 0. If a proxy of yours stands in front, set TRUSTED_PROXIES=1 (the number of proxies), or all its callers count as one address; if none does, the caller made it up.',
    );
  };
}
