import type { Client } from '../context.ts';

/** Headers in which the usual proxies state the caller's country. */
const COUNTRY_HEADERS = ['cf-ipcountry', 'x-client-geo-country', 'x-vercel-ip-country', 'x-country-code'];

/**
 * Who is at the other end. `trustedProxies` proxies stand in front of us; each appended the address it saw to
 * X-Forwarded-For, so the caller is that many entries from the end. With 0 the headers are the caller's own words and
 * are ignored.
 */
export function clientOf(
  socket: string | null,
  header: (name: string) => string | undefined,
  trustedProxies: number,
): Client {
  if (trustedProxies === 0) return { address: plain(socket), country: null };
  const forwarded = (header('x-forwarded-for') ?? '').split(',').map((entry) => entry.trim());
  const address = forwarded.at(-trustedProxies) || socket;
  const country = COUNTRY_HEADERS.map((name) => header(name)).find((value) => /^[A-Z]{2}$/.test(value ?? ''));
  return { address: plain(address), country: country === 'XX' ? null : (country ?? null) };
}

/** `::ffff:192.0.2.1` is how a dual-stack socket writes an IPv4 address. */
const plain = (address: string | null): string | null => address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
