import { randomUUID } from 'node:crypto';
import {
  agentPaths,
  type AgentPhase,
  type ResultsRequest,
  type UploadPayload,
} from '../../../coordinator/contract/agent-protocol.ts';
import { resultKey } from '../../../coordinator/contract/result-key.ts';
import type { TestApp } from '../../support/app.ts';
import { call, type Answer, type Json, type TestUser } from '../../support/client.ts';
import { upload, type Device } from './upload.ts';

export interface MadeJob {
  id: string;
  name: string;
  token: string;
  created_at: string;
  expires_at: string;
}

let machines = 0;

export async function makeJob(test: TestApp, user: TestUser, body: Record<string, unknown> = {}): Promise<MadeJob> {
  const answer = await call(test, 'POST', '/api/gpu-mark/v1/jobs', {
    body: { benchmarks: ['quick_mark'], ...body },
    headers: user.authorization,
  });
  if (answer.status !== 201) throw new Error(`the job was refused: ${JSON.stringify(answer.body)}`);
  return answer.body as unknown as MadeJob;
}

/** An agent's side of the protocol, with every call in the hands of the test. */
export class Node {
  readonly test: TestApp;
  readonly job: MadeJob;
  machineUuid: string;
  sessionId: string = randomUUID();
  taskId = '';
  epoch = 0;
  taskSecret: string | null = null;

  constructor(test: TestApp, job: MadeJob, machineUuid = `machine-${(machines += 1)}`) {
    this.test = test;
    this.job = job;
    this.machineUuid = machineUuid;
  }

  async register(): Promise<Answer> {
    const answer = await this.post(agentPaths.register, {
      machine_uuid: this.machineUuid,
      session_id: this.sessionId,
      agent_version: '0.1.0',
      protocol_version: 1,
      hostname: `host-${this.machineUuid}`,
    });
    if (answer.status === 200) {
      this.taskId = textAt(answer.body, 'task_id');
      this.epoch = Number(at(answer.body, 'epoch'));
      this.taskSecret = textAt(answer.body, 'task_secret');
    }
    return answer;
  }

  beat = (phase: AgentPhase = 'measuring', epoch = this.epoch, progress?: number): Promise<Answer> =>
    this.post(agentPaths.heartbeat, { task_id: this.taskId, epoch, phase, progress });

  results = (result: ResultsRequest): Promise<Answer> => this.post(agentPaths.results, result);

  /** Delivers a completed quick_mark of these devices. */
  deliver = (devices?: Device[]): Promise<Answer> => this.results(this.result(upload(this.machineUuid, devices)));

  complete = (warnings: string[] = []): Promise<Answer> =>
    this.post(agentPaths.complete, { task_id: this.taskId, epoch: this.epoch, warnings });

  fail = (state: 'failed' | 'aborted', message = 'the driver is missing'): Promise<Answer> =>
    this.post(agentPaths.fail, { task_id: this.taskId, epoch: this.epoch, state, message });

  result(payload: UploadPayload | null, given: Partial<ResultsRequest> = {}): ResultsRequest {
    const { attempt = 1, item } = given;
    const keyed = {
      machine_uuid: this.machineUuid,
      benchmark_id: 'quick_mark',
      attempt,
      payload,
      ...(item === undefined ? {} : { item }),
    };
    const now = this.test.clock.now();
    return {
      ...keyed,
      task_id: this.taskId,
      epoch: this.epoch,
      result_key: resultKey(this.job.id, keyed),
      state: 'completed',
      started_at: new Date(now.getTime() - 20_000).toISOString(),
      ended_at: now.toISOString(),
      error_message: null,
      warnings: [],
      ...given,
    };
  }

  post = (path: string, body: unknown): Promise<Answer> => {
    const secret = this.taskSecret === null ? {} : { 'x-task-secret': this.taskSecret };
    return call(this.test, 'POST', path, { body, headers: { authorization: `Bearer ${this.job.token}`, ...secret } });
  };

  /** The whole run of a healthy node. */
  async run(devices?: Device[]): Promise<void> {
    for (const step of [() => this.register(), () => this.beat(), () => this.deliver(devices), () => this.complete()]) {
      const answer = await step();
      if (answer.status !== 200)
        throw new Error(`${step.toString()} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
  }
}

/** A member of a JSON body, by path: `at(body, 'pagination', 'total')`. */
export function at(body: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let value: Json | undefined = body;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Array.isArray(value) ? value[Number(step)] : value[step];
  }
  return value;
}

/** `at` for a member that must be text. */
export function textAt(body: Json | undefined, ...path: (string | number)[]): string {
  const value = at(body, ...path);
  if (typeof value !== 'string') throw new TypeError(`${path.join('.')} is not text in ${JSON.stringify(body)}`);
  return value;
}

/** What the findings of a job say, worst first. */
export const evidenceOf = (job: Json | undefined): string[] => {
  const findings = at(job, 'judgement', 'findings');
  return Array.isArray(findings) ? findings.map((finding) => textAt(finding, 'evidence')) : [];
};

export const getJob = async (test: TestApp, user: TestUser, id: string): Promise<Json> =>
  (await call(test, 'GET', `/api/gpu-mark/v1/jobs/${id}`, { headers: user.authorization })).body;

/** A job of one node with these devices, measured to its end. */
export async function measuredJob(
  test: TestApp,
  user: TestUser,
  devices: Device[],
  body: Record<string, unknown> = {},
): Promise<Json> {
  const job = await makeJob(test, user, body);
  await new Node(test, job).run(devices);
  return getJob(test, user, job.id);
}
