import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Context, Platform } from '../context.ts';
import type { Actor } from '../actor.ts';
import type { Admission, Admit } from './auth/admit.ts';
import { clientOf } from './client-address.ts';
import { envelopeMetaOf } from './dialects/envelope.ts';
import type { BoundRoute } from './http-env.ts';
import type { GiveUp, Intake } from './intake.ts';
import type { Metrics } from './metrics.ts';
import { parseJson } from './parse-json.ts';
import { readBody } from './read-body.ts';
import { requestIds } from './request-id.ts';
import { securityHeaders, transportHeaders } from './security-headers.ts';
import { serialised } from './serialised.ts';

/**
 * An operation that machines call by the thousand (beats, prices). Its good answers are written straight to the socket, past
 * the router and the fetch objects, which cost several times the work itself; whatever is not a plain good call goes the
 * ordinary way, so that every refusal is rendered in one place.
 */
export interface FastOperation {
  route: BoundRoute;
  body: z.ZodType;
  /** Of the headers that the route names; null where it names none. */
  headers: z.ZodType | null;
  answer: (context: Context, body: unknown, headers: unknown) => Promise<object>;
}

/** Takes the request, or returns false and has not touched it. `ordinary` takes it as it is, its body unread. */
export type Lane = (request: IncomingMessage, response: ServerResponse, ordinary: () => void) => boolean;

interface Parts {
  platform: Platform;
  admit: Admit;
  intake: Intake;
  metrics: Metrics;
  isDraining: () => boolean;
  /** The ordinary way; `env` is what the adaptor passes beside a request. */
  fetch: (
    request: Request,
    env: { incoming: IncomingMessage; outgoing: ServerResponse; admitted: Admission; thrown?: { error: unknown } },
  ) => Response | Promise<Response>;
}

/** Names and values in turn: node:http takes them so without making an object of each answer's. */
const HEAD: readonly (string | number)[] = [
  ...Object.entries(securityHeaders).flat(),
  'Content-Type',
  'application/json',
];
const POLICY = 'RateLimit-Policy';
const LIMIT = 'RateLimit';
/** Others have their turn first. */
const parsed = Promise.resolve();
/** Bytes. A larger body, or one of unknown length, goes the ordinary way. */
const MOST_BYTES = 16 * 1024;
const jsonType = /^application\/json(;|$)/i;

export function fastLane(operation: FastOperation, parts: Parts): Lane {
  const { platform, admit, metrics, isDraining } = parts;
  const requestIdOf = requestIds(platform.randomBytes);
  const serve = async (request: IncomingMessage, response: ServerResponse, ordinary: () => void): Promise<void> => {
    const startedAt = performance.now();
    const header = (name: string) => request.headers[name]?.toString();
    const { address } = clientOf(request.socket.remoteAddress ?? null, header, platform.config.trustedProxies);
    const { authorization } = request.headers;
    const known =
      admit.authenticate.remembered(operation.route, authorization) ??
      (await admit.authenticate(operation.route, authorization).catch(() => null));
    const admitting = known && admit.known(operation.route, known, address);
    const admitted = admitting instanceof Promise ? await admitting : admitting;
    // Refused before a byte of the body is read.
    if (admitted === null) return ordinary();
    const { actor, charged } = admitted;
    await parsed;
    const arrived = wholeBody(request);
    const received: Body = arrived ? { body: arrived } : await receive(parts, { actor, address }, request);
    const { body } = received;
    // The client has gone; there is nobody to answer.
    if (request.destroyed && !request.complete) return;
    const requestId = requestIdOf({ req: { header } });
    const outcome = received.thrown
      ? { thrown: received.thrown }
      : await callVerb(operation, parts, { request, body, requestId, actor });
    if (!('content' in outcome))
      return answerOrdinarily(parts, operation.route.path, {
        request,
        body,
        requestId,
        response,
        admitted,
        ...outcome,
      });
    const { content } = outcome;
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
    const headers = charged
      ? [...HEAD, 'X-Request-Id', requestId, 'Content-Length', length, POLICY, charged.policy, LIMIT, charged.left]
      : [...HEAD, 'X-Request-Id', requestId, 'Content-Length', length];
    for (const pair of Object.entries(transportHeaders(platform.config, header('x-forwarded-proto'))))
      headers.push(...pair);
    response.writeHead(200, headers);
    response.end(content);
    metrics.request(operation.route.method, operation.route.path, 200, (performance.now() - startedAt) / 1000);
  };
  return (request, response, ordinary) => {
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    const plain = length > 0 && length <= MOST_BYTES && jsonType.test(request.headers['content-type'] ?? '');
    // Each request has its line in a debug log, and a stopping server its own headers.
    if (!plain || isDraining() || platform.log.isLevelEnabled('debug')) return false;
    serve(request, response, ordinary).catch((error: unknown) => {
      platform.log.error({ err: error, route: operation.route.path }, 'request');
      response.destroy();
    });
    return true;
  };
}

interface Received {
  request: IncomingMessage;
  body: Buffer;
  requestId: string;
}

interface Call extends Received {
  actor: Actor;
}

interface Refused extends Received {
  response: ServerResponse;
  admitted: Admission;
  thrown?: { error: unknown };
}

/** The verb's answer; else what it threw, for the ordinary way to render; else nothing, where the call did not get to it. */
type Outcome = Answered | { thrown?: { error: unknown } };

/** The body of the answer. */
interface Answered {
  content: string | Buffer;
}

async function callVerb(operation: FastOperation, parts: Parts, call: Call): Promise<Outcome> {
  const { route, answer } = operation;
  const { actor } = call;
  let body, headers;
  try {
    headers = operation.headers?.parse(call.request.headers);
    body = operation.body.parse(parseJson(call.body));
  } catch {
    return {};
  }
  const client = { address: null, country: null };
  const context = { ...parts.platform, actor, client, requestId: call.requestId, note: () => undefined };
  try {
    const answered = await answer(context, body, headers);
    return {
      content: serialised(answered, route.dialect === 'envelope' ? metaText(route.path, parts.platform.now()) : ''),
    };
  } catch (error) {
    return { thrown: { error } };
  }
}

/** What stands before the data, the same for all answers of an operation in one second. */
const metas = new Map<string, { timestamp: number; text: string }>();

function metaText(path: string, now: Date): string {
  const timestamp = Math.floor(now.getTime() / 1000);
  const known = metas.get(path);
  if (known?.timestamp === timestamp) return known.text;
  const text = `{"meta":${JSON.stringify(envelopeMetaOf(path, timestamp))},"data":`;
  metas.set(path, { timestamp, text });
  return text;
}

async function answerOrdinarily(
  parts: Parts,
  path: string,
  { request, body, requestId, response, admitted, thrown }: Refused,
): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, value.toString());
  headers.set('x-request-id', requestId);
  const again = new Request(`http://localhost${path}`, { method: 'POST', headers, body: new Uint8Array(body) });
  const env = { incoming: request, outgoing: response, admitted, ...(thrown && { thrown }) };
  const answered = await parts.fetch(again, env);
  const content = Buffer.from(await answered.arrayBuffer());
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), 'content-length': content.length });
  response.end(content);
}

interface Body {
  body: Buffer;
  thrown?: { error: unknown };
}

/**
 * A body of this size mostly came in one piece with its head, and lies there once node has parsed that piece: then there is nothing
 * to wait for, and nothing on its way to be counted. Null: some of it is missing.
 */
function wholeBody(request: IncomingMessage): Buffer | null {
  const isWhole = request.readableLength === Number(request.headers['content-length']);
  // Without an encoding set a stream of bytes gives bytes.
  return isWhole ? (request.read() as Buffer) : null;
}

async function receive(
  { intake }: Parts,
  from: { actor: Actor; address: string | null },
  request: IncomingMessage,
): Promise<Body> {
  try {
    const options = { limit: MOST_BYTES, receive: (giveUp: GiveUp) => intake.receive(from, giveUp) };
    const { bytes, release } = await readBody(request, options);
    release();
    return { body: bytes };
  } catch (error) {
    return { body: Buffer.alloc(0), thrown: { error } };
  }
}
