import type { z } from 'zod';
import {
  networkJoinResponse,
  networkMatrixResponse,
  networkPaths,
  networkPollResponse,
  networkReportResponse,
  networkSyncResponse,
} from '../../coordinator/contract/network-protocol.ts';
import type {
  NetworkMatrix,
  networkJoinRequest,
  NetworkPollResponse,
  NetworkReport,
} from '../../coordinator/contract/network-protocol.ts';
import { valid } from '../client/coordinator-client.ts';
import type { CoordinatorClient } from '../client/coordinator-client.ts';
import { passingTrouble, withRetries } from '../client/retry.ts';
import type { RetryTools } from '../client/retry.ts';
import type { SessionLimits } from '../run/session-limits.ts';
import type { ClockSample } from './link-clock.ts';

/** The task and run that the calls belong to. */
export interface NetworkCaller {
  task_id: string;
  epoch: number;
  /** index of cluster_network in the job's sequence, from 0 */
  item: number;
}

export type JoinBody = Omit<z.input<typeof networkJoinRequest>, keyof NetworkCaller>;
export type Joined = z.infer<typeof networkJoinResponse>;

/**
 * The calls of coordinator/contract/network-protocol.ts. All but `join` and `firstSync` make one attempt: their callers'
 * loops retry.
 */
export class NetworkClient {
  readonly #client: CoordinatorClient;
  readonly #caller: NetworkCaller;
  readonly #limits: SessionLimits;
  readonly #tools: RetryTools;

  constructor(client: CoordinatorClient, caller: NetworkCaller, limits: SessionLimits, tools: RetryTools) {
    this.#client = client;
    this.#caller = caller;
    this.#limits = limits;
    this.#tools = tools;
  }

  join(body: JoinBody): Promise<Joined> {
    return withRetries(passingTrouble(this.#limits.network_away_ms), this.#tools, () =>
      this.#call(networkJoinResponse, networkPaths.join, { ...this.#caller, ...body }, this.#limits.call_ms),
    );
  }

  /** The first time request. Without it no start can be met, so it is retried as long as joining. */
  firstSync(): Promise<ClockSample> {
    const { network_away_ms, network_sync_ms } = this.#limits;
    return withRetries(passingTrouble(network_away_ms), this.#tools, () => this.sync(network_sync_ms));
  }

  /** One time request to the coordinator, with the times of sending and receiving; takes at most `budgetMs`. */
  async sync(budgetMs: number): Promise<ClockSample> {
    const { task_id, epoch } = this.#caller;
    const sent_ms = this.#tools.clock.monotonic();
    const { now_ms } = await this.#call(
      networkSyncResponse,
      networkPaths.sync,
      { task_id, epoch },
      Math.min(budgetMs, this.#limits.network_sync_ms),
    );
    return { sent_ms, received_ms: this.#tools.clock.monotonic(), coordinator_ms: now_ms };
  }

  poll(have: number, pollSeconds: number): Promise<NetworkPollResponse> {
    const deadline = pollSeconds * 1000 + this.#limits.call_ms;
    return this.#call(networkPollResponse, networkPaths.poll, { ...this.#caller, have }, deadline);
  }

  /** Also works after a stop: the outbox limits the retries. */
  report(reports: NetworkReport[]): Promise<z.infer<typeof networkReportResponse>> {
    const body = { ...this.#caller, reports };
    return this.#call(networkReportResponse, networkPaths.report, body, this.#limits.call_ms, null);
  }

  matrix(since: number): Promise<NetworkMatrix> {
    const body = { ...this.#caller, since };
    return this.#call(networkMatrixResponse, networkPaths.matrix, body, this.#limits.call_ms);
  }

  async #call<T extends z.ZodType>(
    schema: T,
    path: string,
    body: unknown,
    deadlineMs: number,
    signal: AbortSignal | null = this.#tools.signal ?? null,
  ): Promise<z.infer<T>> {
    const { connection } = this.#client;
    return valid(schema, await connection.call('POST', path, body, deadlineMs, signal ?? undefined));
  }
}
