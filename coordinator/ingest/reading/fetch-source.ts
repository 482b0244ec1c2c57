import { STATUS_CODES } from 'node:http';
import { Agent, interceptors, request, type Dispatcher } from 'undici';
import { causeOf, SourceError } from './source-error.ts';

export interface Fetched {
  content: AsyncIterable<Uint8Array>;
  size: number | null;
  etag: string | null;
}

export interface FetchOptions {
  /** of the last reading; a source that still has it answers 'unchanged' */
  etag?: string | null | undefined;
  /** before the first repetition, doubled for each further one, at most 30 s; a Retry-After goes before it */
  retryMs?: number | undefined;
}

const CONNECT_MS = 10_000;
/** Azure's price list takes up to 20 s for its first byte. */
const SILENCE_MS = 60_000;
const REPETITIONS = 4;
const REDIRECTIONS = 5;
const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];
const NETWORK = ['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETDOWN', 'ENETUNREACH', 'EHOSTDOWN'];

/**
 * GET of an http(s) URL. 429, 500, 502, 503, 504 and network errors are tried again; a body that breaks off is asked for
 * from there on (Range, If-Match) where the server can. Read `content` to its end or leave its loop: that closes the
 * connection.
 * @throws SourceError, also while `content` is read
 */
export async function fetchSource(
  url: string,
  { etag, retryMs = 1000 }: FetchOptions = {},
): Promise<Fetched | 'unchanged'> {
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });
  const dispatcher = agent.compose(
    interceptors.retry({
      maxRetries: REPETITIONS,
      minTimeout: retryMs,
      errorCodes: [...NETWORK, ...TIMEOUTS, 'EHOSTUNREACH', 'EPIPE', 'UND_ERR_SOCKET'],
    }),
    interceptors.redirect({ maxRedirections: REDIRECTIONS }),
  );
  try {
    const headers = { 'user-agent': 'gpumark-ingest', ...(etag ? { 'if-none-match': etag } : {}) };
    const response = await request(url, { dispatcher, headers });
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

/** Repeated answers end as an error that carries their status. */
function said(error: unknown): string {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : NaN;
  if (status >= 400) return `${answered(status)}, ${REPETITIONS + 1} times`;
  return `cannot be reached: ${causeOf(error)}`;
}

const answered = (status: number): string =>
  `answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd() +
  (status === 401 || status === 403 ? ': it may need a key' : '');
