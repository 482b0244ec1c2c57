import type { HttpContext } from './http-env.ts';

/** For everything; a page sets its own Content-Security-Policy over this one. OWASP secure headers, for an API. */
export function setSecurityHeaders(c: HttpContext): void {
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('X-Frame-Options', 'DENY');
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cache-Control', 'no-store');
}
