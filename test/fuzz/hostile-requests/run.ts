import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HOSTILE_ADDRESS, type Site } from '../../attack/site.ts';
import { drawRequest, type Drawn, type Hostile } from './draw-request.ts';
import { Random } from './random.ts';
import { RawCaller, type Answer } from './raw-caller.ts';
import { readOperations } from './read-operations.ts';

/** Milliseconds that no answer may take. */
export const MOST_MS = 2000;
const CALLERS = 16;
const MOST_SENTENCES = 20;
const MEMORY_SAMPLES = 8;
const RENEWAL_MS = 2000;

export interface FuzzReport {
  seed: string;
  steps: number;
  operations: number;
  answers: Record<string, number>;
  unanswered: number;
  slowest_ms: number;
  /** MiB of the coordinator's process, from the first step to the last. */
  memory_mib: number[];
  seconds: number;
  /** What must not have happened, with the step that shows it again. */
  broken: string[];
}

/** `steps` hostile requests, each drawn from the seed and its number alone, by a tenant with a job and one node. */
export async function runHostileRequests(site: Site, seed: string, steps: number): Promise<FuzzReport> {
  const began = performance.now();
  const { operations, schemas } = await readOperations(site.baseUrl);
  const world = { operations, schemas, hostile: await prepare(site) };
  // Some request soon aborts the job, and its token ends with it; another one signs the tenant out.
  let renewed: Promise<unknown> = Promise.resolve();
  const renewal = setInterval(() => {
    renewed = renewed.then(async () => (world.hostile = await prepare(site)));
  }, RENEWAL_MS);
  const answers: Record<string, number> = {};
  const broken: string[] = [];
  const memory: number[] = [memoryOf(site.pid)];
  let [step, unanswered, slowest] = [0, 0, 0];
  const work = async (): Promise<void> => {
    const caller = new RawCaller(site.port, HOSTILE_ADDRESS);
    while (step < steps && broken.length < MOST_SENTENCES) {
      const number = step++;
      if (number > 0 && number % Math.ceil(steps / MEMORY_SAMPLES) === 0) memory.push(memoryOf(site.pid));
      const drawn = drawRequest(new Random(seed, number), world);
      const head = drawn.bytes.subarray(0, 5).toString() === 'HEAD ';
      const answer = await caller.send(drawn.bytes, { answerable: drawn.answerable, head });
      if (answer) answers[answer.status] = (answers[answer.status] ?? 0) + 1;
      else unanswered += 1;
      if (answer && drawn.answerable) slowest = Math.max(slowest, answer.ms);
      const wrong = judge(drawn, answer);
      if (wrong !== null) broken.push(`step ${number}: ${drawn.operation.method} ${drawn.operation.path}: ${wrong}`);
    }
    caller.close();
  };
  try {
    await Promise.all(Array.from({ length: CALLERS }, work));
  } finally {
    clearInterval(renewal);
    // One under way needs its connection, which the site's end takes away.
    await renewed;
  }
  memory.push(memoryOf(site.pid));
  return {
    seed,
    steps,
    operations: operations.length,
    answers,
    unanswered,
    slowest_ms: Math.round(slowest),
    memory_mib: memory,
    seconds: Math.round((performance.now() - began) / 1000),
    broken,
  };
}

/** A sentence if the answer must not be. */
function judge({ operation, answerable }: Drawn, answer: Answer | null): string | null {
  if (answer === null) return answerable ? 'no answer' : null;
  if (answerable && answer.ms > MOST_MS) return `${answer.status} after ${Math.round(answer.ms)} ms`;
  if (answer.status < 500) return null;
  if (answer.status === 503 && operation.statuses.includes('503')) return null;
  // Business errors of the envelope are 500 by the interface and have a number of their own.
  const code = Number(/"code":(\d+)/.exec(answer.body)?.[1]);
  if (answer.status === 500 && code > 1000) return null;
  return `${answer.status} ${answer.body.slice(0, 300)}`;
}

/** A job with one node that runs, so that some requests get far. */
async function prepare({ hostile }: Site): Promise<Hostile> {
  const create = () =>
    hostile.call('POST', '/api/gpu-mark/v1/jobs', { body: { benchmarks: ['quick_mark'], node_count: 64 } });
  let made = await create();
  // Some request has signed the tenant out.
  for (; made.status === 401; made = await create()) await hostile.signInAgain();
  const job = made.body as { id: string; token: string };
  const machine = randomUUID();
  const registered = await hostile.call('POST', '/api/gpu-mark/v1/agent/register', {
    bearer: job.token,
    body: { machine_uuid: machine, session_id: randomUUID(), agent_version: 'fuzz', protocol_version: 1 },
  });
  const node = registered.body as { task_id: string; epoch: number };
  const known = { task_id: node.task_id, epoch: node.epoch, machine_uuid: machine, id: job.id, job_id: job.id };
  return {
    login: hostile.bearer,
    jobToken: job.token,
    known: Object.fromEntries(Object.entries(known).map(([name, value]) => [name, JSON.stringify(value)])),
  };
}

/** Resident memory in MiB. */
function memoryOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
