import type { Config } from '../config.ts';
import type { HttpContext } from './http-env.ts';
import { setHeader } from './set-header.ts';

/** For everything; a page sets its own Content-Security-Policy over this one. OWASP secure headers, for an API. */
export const securityHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

/** A year; other names of the domain are none of ours. */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' };
const NONE = {};

/**
 * HSTS (RFC 6797) if callers reach us over TLS: by PUBLIC_URL, or by the word of a proxy that we trust. Browsers ignore it
 * in an answer over plain http.
 */
export function transportHeaders(
  { publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>,
  forwardedProto: string | undefined,
): Record<string, string> {
  const isTls = publicUrl?.startsWith('https://') === true || (trustedProxies > 0 && forwardedProto === 'https');
  return isTls ? STRICT_TRANSPORT : NONE;
}

export function setSecurityHeaders(c: HttpContext, config: Config): void {
  for (const [name, value] of Object.entries(securityHeaders)) setHeader(c, name, value);
  for (const [name, value] of Object.entries(transportHeaders(config, c.req.header('x-forwarded-proto'))))
    setHeader(c, name, value);
}
