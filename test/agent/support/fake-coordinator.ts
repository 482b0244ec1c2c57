import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  agentPaths,
  completeRequest,
  failRequest,
  heartbeatRequest,
  inventoryRequest,
  registerRequest,
  resultsRequest,
} from '../../../coordinator/contract/agent-protocol.ts';
import { resultKey } from '../../../coordinator/contract/result-key.ts';

export interface Call {
  /** Last part of the path: register, heartbeat, inventory, results, complete, fail, job. */
  name: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/** What to answer instead of the usual; undefined = the usual. `silence` never answers, `reset` cuts the connection. */
export type Answer =
  | { status: number; headers?: Record<string, string>; body: unknown }
  | 'silence'
  | 'reset'
  | undefined;

export interface FakeCoordinator extends AsyncDisposable {
  url: string;
  calls: Call[];
  /** Keys of the results that count. */
  results: Set<string>;
  /** Changes what is answered; `count` is how often this call was made before. */
  answer: (name: string, count: number, body: Record<string, unknown>) => Answer;
  named(name: string): Call[];
  /** Resolves once `name` has been called `count` times. */
  until(name: string, count?: number): Promise<void>;
}

/** What an ingress or a proxy says in the coordinator's place. */
export const proxyPage = (status: number): Answer => ({ status, body: '<html>default backend</html>' });

const JOB_ID = '1847032911563124736';
export const TASK_ID = '1847032911563124999';
const TASK_SECRET = `gmts_${'A'.repeat(43)}`;
const schemas = {
  register: registerRequest,
  heartbeat: heartbeatRequest,
  inventory: inventoryRequest,
  results: resultsRequest,
  complete: completeRequest,
  fail: failRequest,
} as const;

export const refused = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { error: { code, message: `said ${code}` } },
});

/** A coordinator at the network's edge: real HTTP, every body checked against the contract, every result key recomputed. */
export async function fakeCoordinator(benchmarks: string[] = ['quick_mark']): Promise<FakeCoordinator> {
  const waiters = new Set<() => void>();
  const fake = {
    url: '',
    calls: [] as Call[],
    results: new Set<string>(),
    answer: (() => undefined) as FakeCoordinator['answer'],
    named: (name: string) => fake.calls.filter((call) => call.name === name),
    until: (name: string, count = 1) =>
      new Promise<void>((resolve) => {
        const check = (): void => {
          if (fake.named(name).length >= count) resolve();
          else waiters.add(check);
        };
        check();
      }),
  };
  const server = createServer((request, response) => {
    void respond(fake, benchmarks, request, response).finally(() => {
      const checks = [...waiters];
      waiters.clear();
      for (const check of checks) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(fake, {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function respond(
  fake: Pick<FakeCoordinator, 'calls' | 'results' | 'answer' | 'named'>,
  benchmarks: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  const name = request.url?.split('/').at(-1) ?? '';
  const count = fake.named(name).length;
  const special = fake.answer(name, count, body);
  fake.calls.push({ name, headers: request.headers, body });
  if (special === 'silence') return;
  if (special === 'reset') {
    request.socket.destroy();
    return;
  }
  const { status, headers, body: answer } = special ?? usualAnswer(fake, benchmarks, name, request, body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  // Text goes out as it is: the page of a proxy.
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
}

function usualAnswer(
  fake: Pick<FakeCoordinator, 'results'>,
  benchmarks: string[],
  name: string,
  request: IncomingMessage,
  body: Record<string, unknown>,
): Exclude<Answer, string | undefined> {
  if (request.url === agentPaths.job) return { status: 200, body: currentJob(benchmarks) };
  if (name !== 'register' && request.headers['x-task-secret'] !== TASK_SECRET)
    return { status: 403, body: { error: { code: 'TASK_SECRET_INVALID', message: 'no such secret' } } };
  const schema = schemas[name as keyof typeof schemas];
  const parsed = schema?.safeParse(body);
  if (parsed === undefined || !parsed.success) {
    return {
      status: 400,
      body: { error: { code: 'PARAMETER_INCORRECT_VALUE', message: parsed?.error.message ?? 'no such path' } },
    };
  }
  if (name === 'register') return { status: 200, body: registration(benchmarks) };
  if (name === 'heartbeat')
    return { status: 200, body: { ...times, task_state: 'running', job_state: 'running', stop: null } };
  if (name === 'results') return resultsAnswer(fake, body);
  const ended = name === 'complete' ? 'completed' : name === 'fail' ? 'failed' : 'running';
  return { status: 200, body: { task_state: ended, job_state: ended } };
}

const times = { heartbeat_seconds: 10, lease_seconds: 45 };

function resultsAnswer(
  fake: Pick<FakeCoordinator, 'results'>,
  body: Record<string, unknown>,
): Exclude<Answer, string | undefined> {
  const sent = resultsRequest.parse(body);
  if (sent.result_key !== resultKey(JOB_ID, sent)) {
    return {
      status: 400,
      body: { error: { code: 'PARAMETER_INCORRECT_VALUE', message: 'result_key does not fit the content' } },
    };
  }
  const duplicate = fake.results.has(sent.result_key);
  fake.results.add(sent.result_key);
  return {
    status: 200,
    body: { result_key: sent.result_key, duplicate, kept_aside: false, task_state: 'uploading', job_state: 'running' },
  };
}

const job = (benchmarks: string[]) => ({
  id: JOB_ID,
  name: 'test job',
  state: 'running',
  node_count: 1,
  current_nodes: 1,
  benchmark_sequence: benchmarks.map((benchmark_id) => ({ benchmark_id, config: null })),
  expires_at: '2030-01-01T00:00:00Z',
});

/** The answer to a register. */
export const registration = (benchmarks: string[]) => ({
  task_id: TASK_ID,
  epoch: 1,
  task_secret: TASK_SECRET,
  ...times,
  server_time: '2026-01-01T00:00:00Z',
  country: 'NL',
  job: job(benchmarks),
});

const currentJob = (benchmarks: string[]) => ({
  ...job(benchmarks),
  tasks: [{ id: TASK_ID, state: 'completed', pdf_report_url: 'http://report.example/r.pdf' }],
  pdf_report_url: null,
});
