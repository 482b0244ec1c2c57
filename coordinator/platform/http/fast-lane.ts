import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { Cache } from '../cache.ts';
import type { Client } from '../context.ts';
import type { Operation } from './area.ts';
import type { Admission } from './auth/admit.ts';
import { checkBody } from './check-body.ts';
import { requestIds, traceIdOf, type ReadHeader, securityHeaders, transportHeaders } from './headers.ts';
import { envelopeMetaOf } from './dialects.ts';
import { isEncoded, isJson } from './field-values.ts';
import type { Intake } from './intake.ts';
import type { Gates, HttpApp } from './mount.ts';
import { callerFields, recordSoon } from './observe.ts';
import { readBody } from './guard.ts';
import { answerError } from './render-failure.ts';
import type { Route } from './route-types.ts';
import { serialised } from '../hot-copy.ts';
import { validationError } from './validation-error.ts';

/** Bytes. A larger body, or one of unknown length, goes through the router. */
const MOST_BYTES = 16 * 1024;
/** Names and values alternate: node:http accepts such a list, which saves an object per answer. */
const HEAD: readonly string[] = [...Object.entries(securityHeaders).flat(), 'Content-Type', 'application/json'];
/** Awaited to let other requests run first. */
const soon = Promise.resolve();

/** One call on its way through the lane. */
interface Call {
  operation: Operation;
  request: IncomingMessage;
  requestId: string;
  client: Client;
  /** Fields of the call's log line. */
  fields: Record<string, unknown>;
}

interface Answer {
  status: number;
  content: string | Buffer;
  headers: Record<string, string>;
}

/**
 * The app, with the operations that machines call by the thousand (heartbeats, prices) answered directly on the socket. This
 * bypasses the router and the fetch objects, which cost several times the work itself (`make bench ONLY="heartbeats carbon
 * token-answers prediction"` misses its targets without it). Everything that determines the answer, and how it is counted and
 * logged, is shared with the router's path.
 */
export function withFastLane(app: HttpApp, routes: readonly Pick<Route, 'method' | 'path'>[]): HttpApp {
  const chosen = routes.map(({ method, path }) => {
    const found = app.operations.find(({ route }) => route.path === path && route.method === method.toUpperCase());
    if (!found) throw new Error(`${method} ${path} is not an operation of this app`);
    return found;
  });
  return { ...app, first: fastLane(chosen, app.gates) };
}

function fastLane(operations: readonly Operation[], parts: Gates): NonNullable<HttpApp['first']> {
  const { platform, metrics, isDraining, unanswered } = parts;
  const recorders = { metrics, log: platform.log };
  const byName = new Map(
    operations.map((operation) => [`${operation.route.method} ${operation.route.path}`, operation]),
  );
  const requestIdOf = requestIds(platform.randomBytes);
  const serve = async (operation: Operation, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = performance.now();
    const header: ReadHeader = (name) => request.headers[name]?.toString();
    const requestId = requestIdOf(header);
    const client = parts.readClient(request.socket.remoteAddress ?? null, header);
    const call: Call = { operation, request, requestId, client, fields: {} };
    const head: (string | number)[] = [...HEAD, 'X-Request-Id', requestId];
    let answer: Answer;
    let held: string | null = null;
    try {
      held = unanswered.begin(client.address);
      const admitting = parts.admit(operation.route, {
        authorization: request.headers.authorization,
        address: client.address,
        at: startedAt,
      });
      const admission = admitting instanceof Promise ? await admitting : admitting;
      const { charged } = admission;
      if (charged) head.push('RateLimit-Policy', charged.policy, 'RateLimit', charged.left);
      answer = await answerOf(parts, call, admission);
    } catch (error) {
      answer = failureOf(parts, call, error);
    } finally {
      if (held !== null) unanswered.end(held);
    }
    const { status, content } = answer;
    head.push('Content-Length', typeof content === 'string' ? Buffer.byteLength(content) : content.length);
    for (const pair of Object.entries(transportHeaders(platform.config, header('x-forwarded-proto'))))
      head.push(...pair);
    for (const pair of Object.entries(answer.headers)) head.push(...pair);
    response.writeHead(status, head);
    response.end(content);
    recordSoon(recorders, {
      requestId,
      traceId: traceIdOf(header),
      method: operation.route.method,
      route: operation.route.path,
      status,
      seconds: (performance.now() - startedAt) / 1000,
      address: client.address,
      fields: call.fields,
    });
  };
  return (request, response) => {
    const operation = byName.get(`${request.method ?? ''} ${request.url ?? ''}`);
    if (operation === undefined) return false;
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    const isPlain = length > 0 && length <= MOST_BYTES && isJson(request.headers['content-type']);
    // A stopping server adds a header, which only the router's path sets.
    if (!isPlain || isEncoded(request.headers['content-encoding']) || isDraining()) return false;
    serve(operation, request, response).catch((error: unknown) => {
      platform.log.error({ err: error, route: operation.route.path }, 'request');
      response.destroy();
    });
    return true;
  };
}

/** The verb's answer; throws what the router's path throws. */
async function answerOf(parts: Gates, call: Call, { actor, refused }: Admission): Promise<Answer> {
  const { operation, request, client, requestId, fields } = call;
  const { route } = operation;
  Object.assign(fields, callerFields(actor));
  // Before any of the body is read.
  if (refused) throw refused;
  await soon;
  const bytes = wholeBody(request) ?? (await receive(parts, { actor, address: client.address }, request));
  const body = operation.body && checkedBody(operation, operation.body, bytes);
  const headers = operation.headers && checkHeaders(operation.headers, request);
  // Calls with parameters go through the router, so the query is empty here.
  const query = operation.query?.parse({});
  const note = (more: Record<string, unknown>) => void Object.assign(fields, more);
  const context = { ...parts.platform, actor, client, requestId, note };
  const answered = Object(await operation.call(context, { body, headers, query, params: undefined }));
  const before = route.dialect === 'envelope' ? metaText(route.path, parts.platform.now()) : '';
  return { status: 200, content: serialised(answered, before), headers: {} };
}

/** Cached bodies per operation, about 3 MB at most: with 500, a thousand in rotation never hit. Larger bodies are not cached. */
const MOST_BODIES = 2000;
const MOST_KEPT_BYTES = 512;
/** Frozen output of the schema by the bytes sent, since dashboards repeat the same requests. */
const checkedBodies = new WeakMap<Operation, Cache<string, unknown>>();

function checkedBody(operation: Operation, schema: z.ZodType, bytes: Buffer): unknown {
  const { access, bodyLimit } = operation.route;
  // Bodies from agents differ each time.
  if (access !== 'data' || bytes.length > MOST_KEPT_BYTES) return checkBody(schema, bytes, bodyLimit);
  const kept = checkedBodies.get(operation) ?? new Cache(MOST_BODIES);
  checkedBodies.set(operation, kept);
  // One character per byte, so that different bodies have different texts.
  const sent = bytes.toString('latin1');
  const known = kept.get(sent);
  if (known !== undefined) return known;
  const checked = frozen(checkBody(schema, bytes, bodyLimit));
  kept.set(sent, checked);
  return checked;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

function failureOf({ platform }: Gates, { operation, requestId, fields }: Call, error: unknown): Answer {
  const { route } = operation;
  const failed = { dialect: route.dialect, route, path: route.path, requestId, now: platform.now() };
  const { status, body, headers, event } = answerError(failed, error);
  Object.assign(fields, event);
  return { status, content: JSON.stringify(body), headers };
}

/** The JSON text before the data, the same for all answers of an operation within one second. */
const metas = new Map<string, { timestamp: number; text: string }>();

function metaText(path: string, now: Date): string {
  const timestamp = Math.floor(now.getTime() / 1000);
  const known = metas.get(path);
  if (known?.timestamp === timestamp) return known.text;
  const text = `{"meta":${JSON.stringify(envelopeMetaOf(path, timestamp))},"data":`;
  metas.set(path, { timestamp, text });
  return text;
}

function checkHeaders(schema: NonNullable<Operation['headers']>, request: IncomingMessage): unknown {
  const checked = schema.safeParse(request.headers);
  if (!checked.success) throw validationError('header', checked.error.issues);
  return checked.data;
}

/**
 * The body if all of it is buffered, else null. A body of this size usually arrives in one piece with its head, and node
 * buffers it when it parses that piece: then there is nothing to wait for, and no incoming body to count.
 */
function wholeBody(request: IncomingMessage): Buffer | null {
  const isWhole = request.readableLength === Number(request.headers['content-length']);
  // No encoding is set, so the stream returns a Buffer.
  return isWhole ? (request.read() as Buffer) : null;
}

async function receive(
  { intake }: Gates,
  from: Parameters<Intake['receive']>[0],
  request: IncomingMessage,
): Promise<Buffer> {
  const { bytes, release } = await readBody(request, {
    limit: MOST_BYTES,
    receive: (giveUp) => intake.receive(from, giveUp),
  });
  release();
  return bytes;
}
