import { setTimeout as delay } from 'node:timers/promises';
import {
  networkPaths,
  networkSpreadMs,
  type NetworkEndpoint,
  type NetworkPlan,
  type NetworkPollResponse,
  type NetworkReport,
  type NetworkSlot,
} from '../../../coordinator/contract/network-protocol.ts';
import type { Arrival } from './arrival.ts';
import type { Fabric } from './fabric.ts';
import { endpointOf } from './simulated-endpoint.ts';

/** One call of the agent protocol; rejects where the coordinator is away. */
export type Post = (path: string, body: unknown) => Promise<{ status: number; body: unknown }>;

export interface Identity {
  taskId: string;
  epoch: number;
  item: number;
}

interface Options {
  post: Post;
  identity: Identity;
  fabric: Fabric;
  /** milliseconds that this node's own clock is ahead of the true one */
  clockAheadMs?: number;
  endpoints?: NetworkEndpoint[];
  capabilities?: Record<string, unknown>;
}

/** Doubles from one try to the next, with jitter, as an agent's does. */
const RETRY_MS = { first: 250, most: 2000 };
const SYNCS = 4;

/**
 * An agent as the coordinator sees it: joins, reads the clock, polls, and reports for each slot what the fabric gives,
 * when the slot is over. It opens no socket to its peers and measures nothing.
 */
export class SimulatedAgent {
  node = -1;
  readonly arrivals: Arrival[] = [];
  /** slots it was told of, by id; a slot that comes with other values the second time is an error */
  readonly slots = new Map<string, NetworkSlot>();
  readonly plans: NetworkPlan[] = [];
  readonly acked = new Set<string>();
  /** started_at minus the planned start by the true clock, ms */
  readonly startErrors: number[] = [];
  ended: NetworkPollResponse['ended'] = null;
  private offsetMs = 0;
  private readonly options: Options;
  private readonly stopping = new AbortController();
  private readonly work: Promise<void>[] = [];

  constructor(options: Options) {
    this.options = options;
  }

  /** Its own clock, wrong by as much as it was told. */
  private ownNow = (): number => Date.now() + (this.options.clockAheadMs ?? 0);
  private coordinatorNow = (): number => this.ownNow() + this.offsetMs;

  /** Until the run has ended, or `stop`. */
  async run(): Promise<void> {
    await this.join();
    await this.sync();
    let have = 0;
    while (!this.stopping.signal.aborted && this.ended === null) {
      const askedAt = Date.now();
      const answer = (await this.untilAnswered(networkPaths.poll, { have })) as NetworkPollResponse | null;
      if (answer === null) break;
      if (answer.sequence > have) this.note(answer, askedAt);
      have = Math.max(have, answer.sequence);
      this.ended = answer.ended;
      if (answer.plan === null) continue;
      this.take(answer.plan);
      await delay(Math.random() * networkSpreadMs(answer.progress.nodes_joined));
    }
    await Promise.all(this.work);
  }

  /** As a process that is killed: says nothing more, and its peers wait in vain. */
  kill(): void {
    this.options.fabric.dead.add(this.node);
    this.stopping.abort();
  }

  async join(): Promise<void> {
    const { endpoints = [endpointOf(this.options.identity.taskId)], capabilities = {} } = this.options;
    const answer = await this.untilAnswered(networkPaths.join, {
      endpoints,
      capabilities: {
        congestion_control: 'cubic',
        locked_memory_kib: null,
        rdma: null,
        collective: null,
        notes: [],
        ...capabilities,
      },
    });
    this.node = (answer as { node: number } | null)?.node ?? -1;
  }

  /** The offset of the exchange with the least round trip, as the protocol says. */
  async sync(): Promise<void> {
    let least = Infinity;
    for (let turn = 0; turn < SYNCS; turn += 1) {
      const before = this.ownNow();
      const answer = (await this.untilAnswered(networkPaths.sync, {})) as { now_ms: number } | null;
      const after = this.ownNow();
      if (answer === null || after - before >= least) continue;
      least = after - before;
      this.offsetMs = answer.now_ms - (before + after) / 2;
    }
  }

  private note({ sequence, plan, ended }: NetworkPollResponse, askedAt: number): void {
    const kind = ended === null ? plan?.kind : 'ended';
    if (kind === undefined) return;
    const startsAt =
      plan?.kind === 'slots'
        ? Math.min(...plan.slots.map((slot) => slot.starts_at_ms))
        : plan?.kind === 'preflight'
          ? plan.starts_at_ms
          : null;
    const before = this.plans.at(-1);
    // a row holds its times in microseconds
    const gapMs = plan?.kind === 'slots' && before?.kind === 'slots' ? (startsAt ?? 0) - before.ends_at_ms : Infinity;
    const follows = Math.abs(gapMs) < 0.01;
    this.arrivals.push({ sequence, kind, askedAt, arrivedAt: Date.now(), startsAt, follows });
  }

  private take(plan: NetworkPlan): void {
    this.plans.push(plan);
    if (plan.kind === 'preflight') this.work.push(this.reportDials(plan));
    if (plan.kind === 'slots') this.work.push(this.driveSlots(plan.slots));
    if (plan.kind === 'collective') this.work.push(this.playCollective(plan));
  }

  private async reportDials(plan: Extract<NetworkPlan, { kind: 'preflight' }>): Promise<void> {
    await this.until(plan.starts_at_ms);
    const { fabric } = this.options;
    const reports = plan.dials.map(({ id, node, addresses }): NetworkReport => {
      const works = fabric.reaches(this.node, node) && !fabric.dead.has(node);
      const address = works ? (addresses[0]?.address ?? null) : null;
      const code = works ? null : 'ETIMEDOUT';
      return {
        kind: 'dial',
        id,
        status: works ? 'ok' : 'unreachable',
        stage: null,
        code,
        address,
        connect_us: works ? 90 : null,
      };
    });
    if (reports.length > 0) await this.report(reports);
  }

  /** Reports once for each plan, a moment after its last slot. */
  private async driveSlots(slots: readonly NetworkSlot[]): Promise<void> {
    const reports: NetworkReport[] = [];
    for (const slot of slots) {
      const known = this.slots.get(slot.id);
      if (known && JSON.stringify(known) !== JSON.stringify(slot)) throw new Error(`slot ${slot.id} changed`);
      this.slots.set(slot.id, slot);
      if (known) continue;
      await this.until(slot.starts_at_ms);
      if (this.stopping.signal.aborted) return;
      const startedAt = this.coordinatorNow();
      this.startErrors.push(Date.now() - slot.starts_at_ms);
      await this.until(slot.starts_at_ms + slot.slot_ms - 100);
      if (this.stopping.signal.aborted) return;
      reports.push(this.measured(slot, startedAt));
    }
    if (reports.length > 0) await this.report(reports);
  }

  /** What this end would have seen. */
  measured(slot: NetworkSlot, startedAt = slot.starts_at_ms): NetworkReport {
    const { fabric } = this.options;
    const attempt = Number.parseInt(slot.id.split('.')[1] ?? '', 10);
    const missed = fabric.misses(this.node, slot.id);
    const lost = missed || fabric.dead.has(slot.node) || fabric.misses(slot.node, slot.id);
    const gbps = fabric.gbps(slot.node, this.node, attempt);
    const rtt = fabric.rttUs(this.node, slot.node);
    const windowMs = (slot.slot_ms - 1200) / 3;
    return {
      kind: 'slot',
      id: slot.id,
      status: lost ? 'timeout' : 'ok',
      stage: lost ? 'connect' : null,
      code: missed ? 'PLAN_LATE' : lost ? 'ETIMEDOUT' : null,
      started_at_ms: startedAt,
      start_skew_ms: startedAt - slot.starts_at_ms,
      received: lost ? null : { gbps, bytes: Math.round((gbps * 1e9 * windowMs) / 8000), window_ms: windowMs },
      sent: lost ? null : { bytes: 1e6, retransmits: 0, segments: 1e5, min_rtt_us: rtt },
      rtt_us:
        lost || slot.role === 'listen' ? null : { min: rtt - 5, p50: rtt, p99: rtt + 20, max: rtt + 60, samples: 1000 },
      mtu: 1500,
      interface: 'eth0',
      rails: [],
    };
  }

  private async playCollective({ collective }: Extract<NetworkPlan, { kind: 'collective' }>): Promise<void> {
    const { id, unique_id, first_rank, library, ranks } = collective;
    if (unique_id === null) return this.report([{ kind: 'unique_id', id, unique_id: 'ab'.repeat(128) }]);
    const size = { bytes: 1 << 20, seconds: 0.001, algorithm_gbs: 1, bus_gbs: 1.5 };
    const all_reduce = [{ ...size, held_until_enqueued: true }];
    // the second size is as older agents tell it
    const broadcast = [false, undefined].map((held) => ({ ...size, bus_gbs: 1, held_until_enqueued: held }));
    const figures = { all_reduce, broadcast, verified: true, simulated: true };
    const result = first_rank === 0 ? { library, version: '2.0.0', ranks, nodes: 2, ...figures } : null;
    await this.report([{ kind: 'collective', id, result, message: null }]);
  }

  /** Until acknowledged, as an agent keeps what it has measured. */
  async report(reports: NetworkReport[]): Promise<void> {
    const answer = (await this.untilAnswered(networkPaths.report, { reports })) as { acked: string[] } | null;
    for (const id of answer?.acked ?? []) this.acked.add(id);
  }

  /** One call, whatever it answers. */
  async call(path: string, body: Record<string, unknown>): Promise<{ status: number; body: unknown }> {
    const { taskId: task_id, epoch, item } = this.options.identity;
    return this.options.post(path, { task_id, epoch, item, ...body });
  }

  /** Again and again until it is answered with 200; null once stopped. A refusal is an error. */
  private async untilAnswered(path: string, body: Record<string, unknown>): Promise<unknown> {
    for (let pause = RETRY_MS.first; !this.stopping.signal.aborted; pause = Math.min(2 * pause, RETRY_MS.most)) {
      const answer = await this.call(path, body).catch(() => null);
      if (this.stopping.signal.aborted) return null;
      if (answer?.status === 200) return answer.body;
      if (answer !== null && answer.status < 500)
        throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      await delay(pause * (0.5 + Math.random() / 2));
    }
    return null;
  }

  private async until(coordinatorMs: number): Promise<void> {
    const pause = coordinatorMs - this.coordinatorNow();
    if (pause > 0) await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
