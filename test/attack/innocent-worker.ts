import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { agentPaths } from '../../coordinator/contract/agent-protocol.ts';
import { quantile } from '../bench/coordinator/load.ts';
import type { Innocent } from './innocent.ts';
import { callerFrom, type Answered, type Call } from './tenant.ts';

/**
 * An ordinary customer: signs in, lists and reads jobs, asks for a price, creates a job, and has one node that beats.
 * Each answer is checked for what it must say, since a wrong one is worse than none.
 */
interface Settings {
  baseUrl: string;
  email: string;
  password: string;
  bearer: string;
  /** Its own, unlike the attacker's. */
  address: string;
  /** A fifth of the calls, for the form that runs with the tests. */
  seldom: boolean;
}

const MOST_SENTENCES = 5;

const port = parentPort;
if (!port) throw new Error('runs as a thread of the attack suite');
const settings = workerData as Settings;
const { call, close } = callerFrom(settings.baseUrl, settings.address);
const own: Call = (method, path, options) => call(method, path, { bearer: settings.bearer, ...options });

const pauseOfMs = settings.seldom ? 100 : 20;
let latencies: number[] = [];
let sentences: string[] = [];
let errors = 0;
let asked = false;
const stop = new AbortController();
port.on('message', (word: 'met' | 'stop') => {
  if (word === 'stop') stop.abort();
  else asked = true;
});

interface Habit {
  name: string;
  do: () => Promise<Answered>;
  /** What a right answer has, beside its status. */
  right: (body: never) => boolean;
  status?: number;
}

const job = await createJob();
const node = await registerNode(job.token);
const habits: Habit[] = [
  {
    name: 'sign-in',
    do: () => call('POST', '/api/user/login', { body: { email: settings.email, password: settings.password } }),
    right: (body: { data: { id_token?: string } }) => body.data.id_token !== undefined,
  },
  {
    name: 'who am I',
    do: () => own('GET', '/api/user/me'),
    right: (body: { data: { email: string } }) => body.data.email === settings.email,
  },
  {
    name: 'job list',
    do: () => own('GET', '/api/gpu-mark/v1/jobs?name=innocent'),
    right: (body: { results: { id: string }[] }) => body.results.some(({ id }) => id === job.id),
  },
  {
    name: 'job',
    do: () => own('GET', `/api/gpu-mark/v1/jobs/${job.id}`),
    right: (body: { id: string; tasks: unknown[] }) => body.id === job.id && body.tasks.length === 1,
  },
  {
    name: 'latest price',
    do: () => own('POST', '/api/data-hub/gpu/latest/price', { body: {} }),
    right: (body: { data: { results: unknown[] } }) => Array.isArray(body.data.results),
  },
  {
    name: 'beat',
    do: () => beat(),
    right: (body: { task_state: string }) => body.task_state === 'running',
  },
];

const began = performance.now();
const loops = habits.map(async (habit, place) => {
  // Signing in costs 50 ms of a core by design; one a second is more than a person does.
  const pauseMs = habit.name === 'sign-in' ? 1000 : pauseOfMs * (place + 1);
  while (!stop.signal.aborted) {
    await act(habit);
    await delay(pauseMs);
  }
});
port.postMessage('started');
await Promise.all(loops);
await close();
port.postMessage('stopped');
port.close();

async function act(habit: Habit): Promise<void> {
  const startedAt = performance.now();
  try {
    const answer = await habit.do();
    latencies.push(answer.ms);
    if (answer.status !== (habit.status ?? 200) || !habit.right(answer.body as never))
      complain(`${habit.name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 160)}`);
  } catch (error) {
    latencies.push(performance.now() - startedAt);
    complain(`${habit.name}: ${String(error)}`);
  }
  // Every reader is told of at least one call.
  if (asked) port?.postMessage(summary());
  asked = false;
}

function complain(sentence: string): void {
  errors += 1;
  if (sentences.length < MOST_SENTENCES)
    sentences.push(`after ${((performance.now() - began) / 1000).toFixed(1)} s: ${sentence}`);
}

function summary(): Innocent {
  const rounded = (q: number) => Number(quantile(latencies, q).toFixed(1));
  const met = {
    requests: latencies.length,
    errors,
    first_errors: sentences,
    p50_ms: rounded(0.5),
    p99_ms: rounded(0.99),
    worst_ms: rounded(1),
  };
  [latencies, sentences, errors] = [[], [], 0];
  return met;
}

async function createJob(): Promise<{ id: string; token: string }> {
  const name = `innocent ${randomUUID()}`;
  const made = await own('POST', '/api/gpu-mark/v1/jobs', { body: { name, benchmarks: ['quick_mark'] } });
  if (made.status !== 201) throw new Error(`the innocent job was refused: ${JSON.stringify(made.body)}`);
  return made.body as { id: string; token: string };
}

async function registerNode(token: string): Promise<{ task_id: string; epoch: number; task_secret?: string }> {
  const body = { machine_uuid: randomUUID(), session_id: randomUUID(), agent_version: 'attack', protocol_version: 1 };
  const answer = await call('POST', agentPaths.register, { bearer: token, body });
  if (answer.status !== 200) throw new Error(`the innocent node was refused: ${JSON.stringify(answer.body)}`);
  return answer.body as { task_id: string; epoch: number; task_secret?: string };
}

function beat(): Promise<Answered> {
  const { task_id, epoch, task_secret } = node;
  const headers: Record<string, string> = task_secret === undefined ? {} : { 'x-task-secret': task_secret };
  return call('POST', agentPaths.heartbeat, {
    bearer: job.token,
    headers,
    body: { task_id, epoch, phase: 'measuring' },
  });
}
