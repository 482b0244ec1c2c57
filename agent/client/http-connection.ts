import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { buildConnector, EnvHttpProxyAgent, Pool, request } from 'undici';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Clock, RandomSource } from '../run/host.ts';
import { withoutTokens } from '../run/tokens.ts';
import { AnswerError, isPassing, NoAnswerError, UntrustedError } from './call-errors.ts';
import type { Proxies } from '../run/run-options.ts';
import { exceptionsFor, withoutLogin } from './proxies.ts';

/** Maximum bytes of an answer. The largest of the protocol, a job with 256 tasks, stays below 100 kB. */
const ANSWER_BYTES = 4 * 1024 * 1024;
const CONNECT_MS = 5_000;
const CONNECTIONS_MAX = 4;
/** Upper limit of a Retry-After; the call's budget ends the wait anyway. */
const RETRY_AFTER_MS_MAX = 3_600_000;

interface ConnectionOptions {
  base_url: string;
  token: string;
  trace_id: string;
  user_agent: string;
  /** PEM certificates trusted in addition to the default ones; null: none. */
  ca: string | null;
  proxies: Proxies;
  clock: Pick<Clock, 'now'>;
  random: RandomSource;
}

/** The agent's only HTTP client: JSON requests and answers, one trace id for all calls, a deadline on each. */
export class HttpConnection {
  readonly base_url: string;
  /** Address of this machine on the route to the coordinator, or to the proxy before it; null before the first connection. */
  local_address: string | null = null;
  /** Authenticates the task among the nodes that share the job's token; sent with every call after registration. */
  task_secret: string | null = null;
  readonly #options: ConnectionOptions;
  readonly #agent: EnvHttpProxyAgent;
  /** The proxy of the calls, for messages; null: none. */
  #proxy: string | null = null;

  constructor(options: ConnectionOptions) {
    this.base_url = options.base_url;
    this.#options = options;
    const tls = trusting(options.ca);
    const { http, https } = options.proxies;
    this.#agent = new EnvHttpProxyAgent({
      httpProxy: http ?? '',
      httpsProxy: https ?? '',
      noProxy: exceptionsFor(options.base_url, options.proxies),
      connectTimeout: CONNECT_MS,
      connect: buildConnector({ timeout: CONNECT_MS, ...tls }),
      requestTls: tls,
      proxyTls: tls,
      factory: (origin, given) => this.#pool(origin, given),
    });
  }

  /**
   * Makes one attempt. Resolves to the body of a 2xx answer.
   * @throws NoAnswerError, AnswerError
   */
  async call(
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
    deadlineMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const deadline = AbortSignal.timeout(Math.max(1, Math.floor(deadlineMs)));
    try {
      const response = await request(this.base_url + path, {
        method,
        dispatcher: this.#agent,
        headers: this.#headers(body !== undefined),
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
      });
      const text = await limitedText(response.body);
      return readAnswer(response.statusCode, response.headers, text, this.#options.token);
    } catch (error) {
      if (error instanceof AnswerError || error instanceof NoAnswerError) throw error;
      const cause = causeOf(error);
      if (CERTIFICATE_FAULT.test(cause)) throw new UntrustedError(cause, this.#options.clock.now(), error);
      const why = deadline.aborted ? `no answer within ${Math.round(deadlineMs)} ms` : cause;
      throw new NoAnswerError(this.#proxy === null ? why : `${why}, by the proxy ${withoutLogin(this.#proxy)}`, error);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** undici makes one for the coordinator, or for a proxy that forwards plain requests. */
  #pool(origin: string | URL, given: Pool.Options & { uri?: string }): Pool {
    const isProxy = new URL(origin).origin !== new URL(this.base_url).origin;
    this.#proxy = given.uri ?? (isProxy ? String(origin) : null);
    const { connect } = given;
    if (typeof connect !== 'function') return new Pool(origin, { ...given, connections: CONNECTIONS_MAX });
    return new Pool(origin, {
      ...given,
      connections: CONNECTIONS_MAX,
      connect: (target, done) => {
        connect(target, (...outcome) => {
          this.local_address = outcome[1]?.localAddress ?? this.local_address;
          done(...outcome);
        });
      },
    });
  }

  #headers(hasBody: boolean): Record<string, string> {
    const { random, token, trace_id, user_agent } = this.#options;
    return {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(this.task_secret === null ? {} : { 'x-task-secret': this.task_secret }),
      'user-agent': user_agent,
      'x-trace-id': trace_id,
      traceparent: `00-${trace_id}-${random.hex(8)}-01`,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    };
  }
}

/** OpenSSL's error codes for an invalid certificate chain, and Node's for a wrong host name. */
const CERTIFICATE_FAULT = /CERT|UNABLE_TO_|CRL_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH/;

/** rejectUnauthorized is set explicitly, so that the environment cannot disable it. */
function trusting(ca: string | null): { rejectUnauthorized: true; secureContext?: SecureContext } {
  if (ca === null) return { rejectUnauthorized: true };
  return { rejectUnauthorized: true, secureContext: createSecureContext({ ca: [...getCACertificates(), ca] }) };
}

async function limitedText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_BYTES) throw new NoAnswerError(`the answer is larger than ${ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The errors it throws are printed, so they must not contain the token, even if the server echoes it. */
function readAnswer(status: number, headers: Dispatcher.ResponseData['headers'], text: string, token: string): unknown {
  const body = parsed(text);
  if (status >= 200 && status < 300) {
    if (body === undefined) throw new NoAnswerError(`status ${status} without a JSON body: is this a coordinator?`);
    return body;
  }
  const said = errorBody.safeParse(body);
  const masked = (words: string): string => withoutTokens(words, [token]);
  const { code, message } = said.success
    ? said.data.error
    : { code: `HTTP_${status}`, message: `status ${status} without an error of the coordinator` };
  const answer = new AnswerError(status, masked(code), masked(message), retryAfter(headers['retry-after']));
  // A router's page for a route that is not up yet, a proxy's login, a redirect: only an error of the coordinator
  // itself is final.
  if (said.success || isPassing(answer)) throw answer;
  const target = headers['location'] === undefined ? '' : `, which points to ${String(headers['location'])}`;
  throw new NoAnswerError(masked(`${message}${target}: is this a coordinator?`), answer);
}

/** The coordinator's error format. */
const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Seconds or an HTTP date; a date only means "later", and becomes one second. */
function retryAfter(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  const seconds = Number(text.trim());
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, RETRY_AFTER_MS_MAX) : 1_000;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function causeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : null;
  // The HTTP library's own codes say less than its messages.
  if (code !== null && !code.startsWith('UND_ERR_')) return code;
  return inner instanceof Error ? inner.message : String(inner);
}
