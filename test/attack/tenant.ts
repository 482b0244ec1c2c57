import { Agent, request } from 'undici';

/** Milliseconds; this names a hang. */
const CALL_TIMEOUT_MS = 240_000;
const CONNECTIONS = 64;

export interface Answered {
  status: number;
  /** Parsed if the answer is JSON, else its text. */
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
  ms: number;
}

export interface CallOptions {
  /** Serialised, unless it is text or bytes already. */
  body?: unknown;
  /** Instead of the tenant's own. Null: none. */
  bearer?: string | null;
  headers?: Record<string, string>;
}

export type Call = (
  method: 'GET' | 'POST' | 'DELETE' | 'PUT',
  path: string,
  options?: CallOptions,
) => Promise<Answered>;

export interface Tenant {
  email: string;
  password: string;
  company: string;
  bearer: string;
  /** From the tenant's own address. Answers of every status; throws if there was none. */
  call: Call;
  /** A session that was signed out opens nothing. */
  signInAgain: () => Promise<void>;
  close: () => Promise<void>;
}

/** A signed-in customer whose connections leave from `address`, one of 127.0.0.0/8. */
export async function signIn(
  baseUrl: string,
  user: { email: string; password: string; company: string },
  address: string,
): Promise<Tenant> {
  const { call, close } = callerFrom(baseUrl, address);
  const logIn = async (): Promise<string> => {
    const login = await call('POST', '/api/user/login', { body: { email: user.email, password: user.password } });
    if (login.status !== 200)
      throw new Error(`${user.email} cannot sign in: ${login.status} ${JSON.stringify(login.body)}`);
    return (login.body as { data: { id_token: string } }).data.id_token;
  };
  const tenant: Tenant = {
    ...user,
    bearer: await logIn(),
    close,
    signInAgain: async () => void (tenant.bearer = await logIn()),
    call: (method, path, options) => call(method, path, { bearer: tenant.bearer, ...options }),
  };
  return tenant;
}

/** A stranger's calls from an address of loopback. */
export function callerFrom(baseUrl: string, address: string): { call: Call; close: () => Promise<void> } {
  const dispatcher = new Agent({ connections: CONNECTIONS, localAddress: address });
  const call: Call = async (method, path, { body, bearer = null, headers = {} } = {}) => {
    const startedAt = performance.now();
    const answer = await request(`${baseUrl}${path}`, {
      method,
      dispatcher,
      headersTimeout: CALL_TIMEOUT_MS,
      bodyTimeout: CALL_TIMEOUT_MS,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      body: body === undefined ? null : bytesOf(body),
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      body: parsed(text),
      headers: answer.headers,
      ms: performance.now() - startedAt,
    };
  };
  return { call, close: () => dispatcher.destroy() };
}

const bytesOf = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
