import type { HttpContext } from './http-env.ts';

/** What we are willing to write into our log and echo. */
const sane = /^[A-Za-z0-9._-]{8,128}$/;
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's X-Request-Id, or the trace id of its traceparent, or a new one of 128 random bits. */
export function requestIdOf(c: HttpContext, randomBytes: (count: number) => Buffer): string {
  const given = c.req.header('x-request-id');
  if (given !== undefined && sane.test(given)) return given;
  return traceIdOf(c) ?? randomBytes(16).toString('hex');
}

export const traceIdOf = (c: HttpContext): string | null =>
  traceparent.exec(c.req.header('traceparent') ?? '')?.[1] ?? null;
