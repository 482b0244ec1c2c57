import { STATUS_CODES } from 'node:http';
import { Agent, interceptors, request, type Dispatcher } from 'undici';
import { connectWhereAllowed, RefusedAddressError, type MayConnect, isPublicAddress } from './public-address.ts';
import { SourceError } from './source-error.ts';

export interface Fetched {
  content: AsyncIterable<Uint8Array>;
  size: number | null;
  etag: string | null;
}

export interface FetchOptions {
  /** from the last reading; if it still matches, the result is 'unchanged' */
  etag?: string | null | undefined;
  /** delay before the first retry, doubled for each further one, at most 30 s; a Retry-After takes precedence */
  retryMs?: number | undefined;
  /** Decides which addresses may be connected to, also after name resolution and redirects; default: public ones. */
  mayConnect?: MayConnect | undefined;
  /** The operator's key for this URL. It is not sent to a redirect's target: with a key, a redirect is an error. */
  credential?: Credential | undefined;
}

interface Credential {
  header: string;
  value: string;
}

const CONNECT_MS = 10_000;
/** Azure's price list takes up to 20 s for its first byte. */
const SILENCE_MS = 60_000;
const REPETITIONS = 4;
const REDIRECTIONS = 5;
const REDIRECTED = new Set([301, 302, 303, 307, 308]);
const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];
const NETWORK = ['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETDOWN', 'ENETUNREACH', 'EHOSTDOWN'];

/**
 * GET of an http(s) URL, at public addresses unless others are allowed. 429, 500, 502, 503, 504 and network errors are
 * retried; a body that breaks off is resumed from there (Range, If-Match) if the server can. No credential is sent except one
 * given for this URL, and none to a redirect's target. Read `content` to its end or break out of its loop: that closes the
 * connection.
 * @throws SourceError, also while `content` is read; it never quotes the response
 */
export async function fetchSource(
  url: string,
  { etag, retryMs = 1000, mayConnect = isPublicAddress, credential }: FetchOptions = {},
): Promise<Fetched | 'unchanged'> {
  const agent = new Agent({
    connect: connectWhereAllowed(mayConnect, { timeout: CONNECT_MS }),
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  });
  const dispatcher = agent.compose(
    interceptors.retry({
      maxRetries: REPETITIONS,
      minTimeout: retryMs,
      errorCodes: [...NETWORK, ...TIMEOUTS, 'EHOSTUNREACH', 'EPIPE', 'UND_ERR_SOCKET'],
    }),
  );
  try {
    const headers = { 'user-agent': 'gpumark-ingest', ...(etag ? { 'if-none-match': etag } : {}) };
    const response = await followed(url, dispatcher, headers, credential);
    if (response.statusCode === 200) return { ...described(response), content: bodyOf(url, response, agent) };
    await response.body.dump();
    await agent.destroy();
    if (response.statusCode === 304) return 'unchanged';
    throw new SourceError(url, answered(response.statusCode));
  } catch (error) {
    await agent.destroy();
    throw error instanceof SourceError ? error : new SourceError(url, said(error), error);
  }
}

/** The first response that is not a redirect. */
async function followed(
  url: string,
  dispatcher: Dispatcher,
  common: Record<string, string>,
  credential: Credential | undefined,
): Promise<Dispatcher.ResponseData> {
  const headers = credential ? { ...common, [credential.header]: credential.value } : common;
  let place = new URL(url);
  for (let redirections = 0; ; redirections += 1) {
    const response = await request(place, { dispatcher, headers });
    const { location } = response.headers;
    if (!REDIRECTED.has(response.statusCode) || typeof location !== 'string') return response;
    await response.body.dump();
    if (credential) throw new SourceError(url, 'is redirected; the key is sent to no other address');
    if (redirections === REDIRECTIONS) throw new SourceError(url, `is redirected more than ${REDIRECTIONS} times`);
    place = redirectedTo(url, place, location);
  }
}

function described({ headers }: Dispatcher.ResponseData): { size: number | null; etag: string | null } {
  const size = Number(headers['content-length'] ?? NaN);
  return { size: Number.isNaN(size) ? null : size, etag: typeof headers['etag'] === 'string' ? headers['etag'] : null };
}

async function* bodyOf(url: string, response: Dispatcher.ResponseData, agent: Agent): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw new SourceError(url, `broke off after ${size} bytes and could not be resumed (${said(error)})`, error);
  } finally {
    await agent.destroy();
  }
}

/** A status that persisted through all retries is named. Of other errors only the kind: their message may quote the response. */
function said(error: unknown): string {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : NaN;
  if (status >= 400) return `${answered(status)}, ${REPETITIONS + 1} times`;
  if (error instanceof RefusedAddressError)
    return 'leads to an address that is not public. If this is intended, add --allow-private-addresses';
  return `cannot be reached: ${kindOf(error)}`;
}

const kinds: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_REQ_RETRY: 'the rest cannot be fetched',
};

/** If connections to several addresses failed, the kind of the first error. */
function kindOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return kindOf(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (TIMEOUTS.includes(code)) return 'no answer in time';
  return kinds[code] ?? code;
}

const answered = (status: number): string =>
  `answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd() +
  (status === 401 || status === 403 ? ': it may need a key' : '');

/** The target of a redirect from `place`. @throws SourceError, which never quotes the response, if it must not be followed */
export function redirectedTo(url: string, place: URL, location: string): URL {
  const next = URL.canParse(location, place.href) ? new URL(location, place) : null;
  if (next === null || !/^https?:$/.test(next.protocol))
    throw new SourceError(url, 'is redirected to something other than an http(s) address');
  if (place.protocol === 'https:' && next.protocol === 'http:')
    throw new SourceError(url, 'is redirected from https to http, which anybody in between could change');
  return next;
}
