import type { HttpContext } from './http-env.ts';

/** For everything; a page sets its own Content-Security-Policy over this one. OWASP secure headers, for an API. */
export const securityHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

export function setSecurityHeaders(c: HttpContext): void {
  for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value);
}
