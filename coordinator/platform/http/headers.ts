import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { bindingsOf, type HttpContext } from './http-env.ts';

/** Reads a request header by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined;

/** Request ids that are safe to log and echo. */
const sane = /^[A-Za-z0-9._-]{8,128}$/;
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

const ID_BYTES = 16;
/** Random bytes fetched at a time: a call costs 6 us, whether for 16 bytes or thousands. */
const POOL_BYTES = ID_BYTES * 256;

/** Returns the caller's X-Request-Id, or the trace id of its traceparent, or a new id of 128 random bits. */
export function requestIds(randomBytes: (count: number) => Buffer): (header: ReadHeader) => string {
  let pool: Buffer = Buffer.alloc(0);
  const fresh = (): string => {
    if (pool.length === 0) pool = randomBytes(POOL_BYTES);
    const id = pool.toString('hex', 0, ID_BYTES);
    pool = pool.subarray(ID_BYTES);
    return id;
  };
  return (header) => {
    const given = header('x-request-id');
    if (given !== undefined && sane.test(given)) return given;
    return traceIdOf(header) ?? fresh();
  };
}

export function traceIdOf(header: ReadHeader): string | null {
  const given = header('traceparent');
  return given === undefined ? null : (traceparent.exec(given)?.[1] ?? null);
}

type Fields = OutgoingHttpHeaders | OutgoingHttpHeader[];

interface Common {
  name: string;
  /** The name in lower case. */
  lower: string;
  value: string;
}

/**
 * Node's response with the headers that all answers share. They are kept in a list and written with the answer's own, at a
 * fraction of the cost of `setHeader`, which fills a table by lower-case name that node then writes in a second pass.
 */
export class AnswerResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #common: Common[] = [];

  /** Replaces an earlier value of that name. A header of the same name that the answer itself writes takes precedence. */
  setCommon(name: string, value: string): void {
    const lower = name.toLowerCase();
    const known = this.#common.find((header) => header.lower === lower);
    if (known) known.value = value;
    else this.#common.push({ name, lower, value });
  }

  override writeHead(status: number, fields?: Fields): this;
  override writeHead(status: number, reason?: string, fields?: Fields): this;
  override writeHead(status: number, reason?: string | Fields, fields?: Fields): this {
    const own = typeof reason === 'object' ? reason : fields;
    const message = typeof reason === 'string' ? reason : undefined;
    const all = this.#common.length === 0 ? own : withCommon(this.#common, own);
    this.#common = [];
    return message === undefined ? super.writeHead(status, all) : super.writeHead(status, message, all);
  }
}

/** As a flat list of pairs, which node writes without look-ups. */
function withCommon(common: readonly Common[], fields: Fields = {}): OutgoingHttpHeader[] {
  const own: OutgoingHttpHeader[] = [];
  const names: string[] = [];
  const add = (name: string, value: OutgoingHttpHeader | undefined): void => {
    if (value === undefined) return;
    own.push(name, value);
    names.push(name.toLowerCase());
  };
  if (Array.isArray(fields)) for (let n = 0; n < fields.length; n += 2) add(String(fields[n]), fields[n + 1]);
  else for (const name in fields) add(name, fields[name]);
  const all: OutgoingHttpHeader[] = [];
  for (const { name, lower, value } of common) if (!names.includes(lower)) all.push(name, value);
  all.push(...own);
  return all;
}

/** Sets a header of every answer. A header of the same name that the answer itself sets takes precedence. */
export function setHeader(c: HttpContext, name: string, value: string): void {
  const { outgoing } = bindingsOf(c);
  if (outgoing instanceof AnswerResponse) outgoing.setCommon(name, value);
  else c.header(name, value);
}

/** Headers of every answer; a page overrides Content-Security-Policy with its own. OWASP secure headers, for an API. */
export const securityHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

const YEAR_S = 31_536_000;
/** ASVS 5.0, 3.4.1, level 2 includes subdomains; HSTS=host is for a host whose subdomains others serve without TLS. */
const WITH_SUBDOMAINS = { 'Strict-Transport-Security': `max-age=${YEAR_S}; includeSubDomains` };
const OWN_NAME_ALONE = { 'Strict-Transport-Security': `max-age=${YEAR_S}` };
const NONE = {};

/**
 * HSTS (RFC 6797) if callers reach us over TLS: if we terminate it ourselves, or PUBLIC_URL or a trusted proxy says https.
 * Browsers ignore the header in an answer over plain http.
 */
export function transportHeaders(
  { publicUrl, trustedProxies, tls, hsts }: TransportSettings,
  forwardedProto: string | undefined,
): Record<string, string> {
  const isProxied = trustedProxies > 0 && forwardedProto === 'https';
  if (hsts === 'off') return NONE;
  if (tls === null && publicUrl?.startsWith('https://') !== true && !isProxied) return NONE;
  return hsts === 'subdomains' ? WITH_SUBDOMAINS : OWN_NAME_ALONE;
}

type TransportSettings = Pick<Config, 'publicUrl' | 'trustedProxies' | 'tls' | 'hsts'>;

export function setSecurityHeaders(c: HttpContext, config: Config): void {
  for (const [name, value] of Object.entries(securityHeaders)) setHeader(c, name, value);
  for (const [name, value] of Object.entries(transportHeaders(config, c.req.header('x-forwarded-proto'))))
    setHeader(c, name, value);
}
