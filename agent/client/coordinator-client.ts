import type { z } from 'zod';
import {
  agentPaths,
  currentJobResponse,
  heartbeatResponse,
  registerResponse,
  resultsResponse,
  taskOutcome,
} from '../../coordinator/contract/agent-protocol.ts';
import type {
  completeRequest,
  failRequest,
  heartbeatRequest,
  inventoryRequest,
  registerRequest,
  ResultsRequest,
} from '../../coordinator/contract/agent-protocol.ts';
import { NoAnswerError } from './call-errors.ts';
import type { HttpConnection } from './http-connection.ts';
import { passingTrouble, withRetries } from './retry.ts';
import type { RetryPolicy, RetryTools } from './retry.ts';
import type { SessionLimits } from '../run/session-limits.ts';

export type Registration = z.infer<typeof registerResponse>;
export type Beat = z.infer<typeof heartbeatResponse>;
type CurrentJob = z.infer<typeof currentJobResponse>;
type Delivered = z.infer<typeof resultsResponse>;

/** Typed calls of the agent protocol; requests and answers are defined in coordinator/contract/agent-protocol.ts. */
export class CoordinatorClient {
  readonly connection: HttpConnection;
  readonly #limits: SessionLimits;
  readonly #tools: RetryTools;

  constructor(connection: HttpConnection, limits: SessionLimits, tools: RetryTools) {
    this.connection = connection;
    this.#limits = limits;
    this.#tools = tools;
  }

  /** The caller limits the retries: see register.ts. Later calls are made for the registered task. */
  async register(
    body: z.input<typeof registerRequest>,
    policy: RetryPolicy,
    onRetry: RetryTools['onRetry'],
  ): Promise<Registration> {
    const tools = { ...this.#tools, onRetry };
    const registration = await this.#send(
      registerResponse,
      agentPaths.register,
      body,
      policy,
      this.#limits.call_ms,
      tools,
    );
    this.connection.task_secret = registration.task_secret;
    return registration;
  }

  /** Makes one attempt: the next beat is the retry. */
  heartbeat(body: z.input<typeof heartbeatRequest>): Promise<Beat> {
    return this.#send(heartbeatResponse, agentPaths.heartbeat, body, passingTrouble(0), this.#limits.heartbeat_call_ms);
  }

  inventory(body: z.input<typeof inventoryRequest>): Promise<z.infer<typeof taskOutcome>> {
    const policy = passingTrouble(this.#limits.inventory_ms);
    return this.#send(taskOutcome, agentPaths.inventory, body, policy, this.#limits.call_ms);
  }

  /** Attempts of 30 s within `budgetMs`. The answer must echo the key that was sent. */
  async results(body: ResultsRequest, budgetMs: number): Promise<Delivered> {
    const policy = passingTrouble(budgetMs);
    const answer = await this.#send(
      resultsResponse,
      agentPaths.results,
      body,
      policy,
      this.#limits.upload_call_ms,
      this.#patient(),
    );
    if (answer.result_key !== body.result_key)
      throw new NoAnswerError('the answer names another result than the one sent');
    return answer;
  }

  complete(body: z.input<typeof completeRequest>, budgetMs: number): Promise<z.infer<typeof taskOutcome>> {
    return this.#send(
      taskOutcome,
      agentPaths.complete,
      body,
      passingTrouble(budgetMs),
      this.#limits.call_ms,
      this.#patient(),
    );
  }

  fail(body: z.input<typeof failRequest>, budgetMs: number): Promise<z.infer<typeof taskOutcome>> {
    return this.#send(
      taskOutcome,
      agentPaths.fail,
      body,
      passingTrouble(budgetMs),
      this.#limits.call_ms,
      this.#patient(),
    );
  }

  async job(): Promise<CurrentJob> {
    return valid(
      currentJobResponse,
      await this.connection.call('GET', agentPaths.job, undefined, this.#limits.call_ms),
    );
  }

  /** Delivery continues after the run was stopped; its own budget limits it. */
  #patient(): RetryTools {
    return { ...this.#tools, signal: undefined };
  }

  #send<T extends z.ZodType>(
    schema: T,
    path: string,
    body: unknown,
    policy: RetryPolicy,
    callMs: number,
    tools: RetryTools = this.#tools,
  ): Promise<z.infer<T>> {
    return withRetries(policy, tools, async (remainingMs) => {
      // The first call may outlast the retry budget; otherwise a budget of zero would allow no attempt at all.
      const deadline = policy.budget_ms === 0 ? callMs : Math.min(callMs, Math.max(remainingMs, 1_000));
      return valid(schema, await this.connection.call('POST', path, body, deadline, tools.signal));
    });
  }
}

/** An answer that does not match the schema is an error: a proxy's page, or a coordinator of another version. */
export function valid<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body);
  if (!result.success)
    throw new NoAnswerError(
      `the answer does not follow the agent protocol: ${result.error.issues[0]?.path.join('.') ?? ''}`,
    );
  return result.data;
}
