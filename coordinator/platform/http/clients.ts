import { isIP } from 'node:net';
import type { Client, Platform } from '../context.ts';
import type { ReadHeader } from './headers.ts';
import type { Metrics } from './observe.ts';

/** Address and country of the caller, from the socket's address and the headers. */
export type ReadClient = (socket: string | null, header: ReadHeader) => Client;

/** Headers in which the usual proxies state the caller's country. */
const COUNTRY_HEADERS = ['cf-ipcountry', 'x-client-geo-country', 'x-vercel-ip-country', 'x-country-code'];

/**
 * Each of the TRUSTED_PROXIES proxies in front of us appends the address it saw to X-Forwarded-For, so the caller is that many
 * entries from the end. With 0 the headers come from the caller itself and are ignored. A header with which that cannot be
 * right is counted, and a warning is logged at most once an hour, since strangers can send the header too; without its content.
 */
export function clientReader({ config, log, now }: Platform, metrics: Metrics): ReadClient {
  const { trustedProxies } = config;
  let doubtful = 0;
  let silentUntil = 0;
  metrics.gauge('http_forwarded_for_unusable', 'Requests whose X-Forwarded-For was ignored', () => doubtful);
  const warn = (peer: string | null): void => {
    doubtful += 1;
    const time = now().getTime();
    if (time < silentUntil) return;
    silentUntil = time + HOUR_MS;
    log.warn(
      { peer: peer ?? undefined, requests: doubtful },
      trustedProxies === 0 ? UNTRUSTED : unusable(trustedProxies),
    );
  };
  return (socket, header) => {
    const peer = plain(socket);
    const forwarded = header('x-forwarded-for');
    if (trustedProxies === 0) {
      if (forwarded !== undefined) warn(peer);
      return { address: peer, country: null };
    }
    const address = forwarded === undefined ? peer : addressIn(forwarded.split(',').at(-trustedProxies) ?? '');
    if (address === null) warn(peer);
    const country = COUNTRY_HEADERS.map((name) => header(name)).find((value) => /^[A-Z]{2}$/.test(value ?? ''));
    return { address: address ?? peer, country: country === 'XX' ? null : (country ?? null) };
  };
}

/** `192.0.2.1`, `192.0.2.1:50000`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:50000`; null for anything else. */
function addressIn(entry: string): string | null {
  const [, bracketed, plainOne] = /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+)(?::\d+)?)\s*$/.exec(entry) ?? [];
  const address = bracketed ?? plainOne ?? entry.trim();
  return isIP(address) === 0 ? null : plain(address);
}

/** `::ffff:192.0.2.1` is how a dual-stack socket writes an IPv4 address. */
const plain = (address: string | null): string | null => address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null;

const HOUR_MS = 3_600_000;

/** The operator has probably a proxy that is not configured: all callers have its address and share the limits per address. */
const UNTRUSTED =
  'A request came with X-Forwarded-For, which is ignored while TRUSTED_PROXIES is 0. If a proxy of yours stands in front, set TRUSTED_PROXIES=1 (the number of proxies), or all its callers count as one address; if none does, the caller made it up.';

const unusable = (proxies: number): string =>
  `X-Forwarded-For of a request has no IP address in place ${proxies} from its end, where TRUSTED_PROXIES=${proxies} expects the caller, who counts as the address of the proxy. Let the proxies append the address they see (with or without its port), and set TRUSTED_PROXIES to their number.`;
