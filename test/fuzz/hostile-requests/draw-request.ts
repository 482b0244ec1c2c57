import { drawJson, drawText, type Schema } from './draw-json.ts';
import type { Random } from './random.ts';

/** One operation, from the OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  access: string;
  /** Query parameters by name. */
  query: string[];
  body: Schema | null;
  /** Statuses that it may answer. */
  statuses: string[];
}

/** What a hostile tenant really has. */
export interface Hostile {
  login: string;
  jobToken: string;
  /** JSON texts by the field that they belong in. */
  known: Record<string, string>;
}

export interface Drawn {
  operation: Operation;
  /** What goes over the wire, head and body. */
  bytes: Buffer;
  /** False: the framing is wrong or the body ends early, so that there may be no answer. */
  answerable: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/xml',
  '',
];
const ODD_HEADERS = [
  'X-Forwarded-For: 1.2.3.4, ::1, x',
  'Accept: application/xml;q=0.9',
  'Accept-Encoding: br, zstd',
  'If-None-Match: *',
  'Range: bytes=0-1',
  'Cookie: a=b; a=c',
  'Idempotency-Key: x',
  'X-Request-Id: %00',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Origin: null',
  'X-Task-Secret: x',
  'X-HTTP-Method-Override: DELETE',
  `X-Long: ${'y'.repeat(4000)}`,
  'Content-Encoding: gzip',
  'Host: other',
];

export interface World {
  operations: readonly Operation[];
  schemas: Record<string, Schema>;
  hostile: Hostile;
}

export function drawRequest(random: Random, { operations, schemas, hostile }: World): Drawn {
  const operation = random.of(operations);
  const method = random.chance(0.95) ? operation.method : random.of(METHODS);
  const headers = ['Host: 127.0.0.1', ...credential(random, operation, hostile)];
  if (random.chance(0.15)) headers.push(random.of(ODD_HEADERS));
  const body = bodyOf(random, operation, schemas, hostile);
  const framing = frame(random, body);
  const type = random.chance(0.95) ? 'application/json' : random.of(TYPES);
  if (body.length > 0) headers.push(`Content-Type: ${type}`);
  const target = pathOf(random, operation, hostile) + queryOf(random, operation);
  const head = [`${method} ${target} HTTP/1.1`, ...headers, ...framing.headers, '', ''].join('\r\n');
  return {
    operation,
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), framing.bytes]),
    answerable: framing.answerable && method !== 'TRACE' && method !== 'PROPFIND',
  };
}

function credential(random: Random, { access }: Operation, { login, jobToken }: Hostile): string[] {
  const right = access.startsWith('job') ? jobToken : login;
  const kind = random.below(20);
  if (kind < 14) return [`Authorization: Bearer ${right}`];
  if (kind < 16) return [];
  if (kind === 16) return [`Authorization: Bearer ${access.startsWith('job') ? login : jobToken}`];
  if (kind === 17) return [`Authorization: Bearer ${right.slice(0, -random.below(20) - 1)}x`];
  if (kind === 18) return [`Authorization: Bearer ${'a'.repeat(random.below(9000))}`];
  return [`Authorization: Basic ${random.of(['', 'eDp4', '%00'])}`];
}

function pathOf(random: Random, { path }: Operation, { known }: Hostile): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = known[name]?.replaceAll('"', '');
    return value !== undefined && random.chance(0.6)
      ? value
      : encodeURIComponent(drawText(random)).slice(0, 500) || 'x';
  });
  if (random.chance(0.97)) return filled;
  return random.of([
    `${filled}/`,
    `${filled}//x`,
    `/${filled}`,
    `${filled}%00`,
    `${filled}/..%2f..`,
    filled.toUpperCase(),
    `${filled};a=b`,
  ]);
}

function queryOf(random: Random, { query }: Operation): string {
  const named = query
    .filter(() => random.chance(0.3))
    .map((name) => `${name}=${random.chance(0.4) ? random.below(50) : encodeURIComponent(drawText(random))}`);
  if (random.chance(0.05))
    named.push(random.of(['page=1&page=2', '%', 'a[b]=c', `x=${'1'.repeat(3000)}`, '__proto__=1', '&&=']));
  return named.length === 0 ? '' : `?${named.join('&')}`;
}

function bodyOf(
  random: Random,
  { body, method }: Operation,
  schemas: Record<string, Schema>,
  { known }: Hostile,
): Buffer {
  if (!body && (method === 'GET' || random.chance(0.8))) return Buffer.alloc(0);
  const text = drawJson(random, body ?? {}, schemas, known);
  const kind = random.below(40);
  if (kind === 0) return Buffer.from(text, 'utf16le');
  if (kind === 1) return Buffer.from([...Buffer.from(text.slice(0, 200)), 0xff, 0xfe, 0xc0, 0x80]);
  if (kind === 2) return Buffer.from(text.slice(0, random.below(text.length + 1)));
  if (kind === 3) return Buffer.from(`﻿${text}`);
  if (kind === 4) return Buffer.from(`${' '.repeat(random.below(5000))}${text}\n\n`);
  if (kind === 5) return Buffer.from(text + text);
  return Buffer.from(text);
}

function frame(random: Random, body: Buffer): { headers: string[]; bytes: Buffer; answerable: boolean } {
  const kind = random.below(100);
  if (kind < 84 || body.length === 0)
    return { headers: [`Content-Length: ${body.length}`], bytes: body, answerable: true };
  if (kind < 92) {
    const at = random.below(body.length) + 1;
    const pieces = [body.subarray(0, at), body.subarray(at)].filter((piece) => piece.length > 0);
    const chunks = pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]);
    return {
      headers: ['Transfer-Encoding: chunked'],
      bytes: Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]),
      answerable: true,
    };
  }
  const wrong = random.of([
    [`Content-Length: ${body.length + 1 + random.below(9_000_000)}`],
    [`Content-Length: ${random.below(body.length)}`],
    ['Content-Length: -1'],
    ['Content-Length: 99999999999999999999'],
    ['Transfer-Encoding: chunked'],
    [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: gzip, chunked'],
  ]);
  return { headers: wrong, bytes: body, answerable: false };
}
