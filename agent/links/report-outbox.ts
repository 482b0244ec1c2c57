import type { NetworkReport } from '../../coordinator/contract/network-protocol.ts';
import type { Clock, RandomSource } from '../run/host.ts';
import type { AnswerError } from '../client/call-errors.ts';
import { Doubt } from '../client/doubt.ts';
import { passingTrouble, retryDelay } from '../client/retry.ts';

export interface Acknowledged {
  acked: readonly string[];
  refused: readonly { id: string; reason: string }[];
}

export interface OutboxOptions {
  /** Makes one attempt. */
  send: (reports: NetworkReport[]) => Promise<Acknowledged>;
  clock: Clock;
  random: RandomSource;
  /** Called for a report that was refused and will not be sent again. */
  onRefused: (report: NetworkReport, reason: string) => void;
  /** Called once, when the coordinator accepts no more reports from this session. */
  onClosed: (error: AnswerError) => void;
}

/** The contract allows 600; this keeps a batch far below 1 MB. */
const BATCH_MAX = 200;
/** Used for its back-off; the caller of `close` sets the budget. */
const policy = passingTrouble(0);

/**
 * Holds reports until the coordinator has acknowledged them. One batch is in flight at a time; a failed one is sent
 * again with the usual back-off, together with newer reports. Sending a report twice is harmless: the coordinator
 * deduplicates.
 */
export class ReportOutbox {
  readonly #options: OutboxOptions;
  readonly #waiting = new Map<string, NetworkReport>();
  #due = new AbortController();
  #isOpen = true;
  #batchMax = BATCH_MAX;
  #tries = 0;
  readonly #doubt = new Doubt();
  #loop: Promise<void> | null = null;
  readonly #ending = new AbortController();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Number of unacknowledged reports. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Keeps the report until it is acknowledged, and sends it within `delayMs`, together with others waiting by then. */
  add(report: NetworkReport, delayMs: number): void {
    this.#waiting.set(`${report.kind} ${report.id}`, report);
    if (delayMs <= 0) this.#due.abort();
    this.#loop ??= this.#run(delayMs);
  }

  /** Sends waiting reports now; later ones are delayed as usual. */
  hurry(): void {
    if (this.#loop !== null) this.#due.abort();
  }

  /** Keeps sending for at most `budgetMs`. @returns the number of undelivered reports */
  async close(budgetMs: number): Promise<number> {
    this.hurry();
    const timer = new AbortController();
    const limit = this.#options.clock.sleep(budgetMs, timer.signal).then(() => this.#ending.abort());
    while (this.#loop !== null && !this.#ending.signal.aborted) await Promise.race([this.#loop, limit]);
    this.#isOpen = false;
    this.#ending.abort();
    timer.abort();
    await limit;
    return this.#waiting.size;
  }

  /** Runs as long as reports are waiting. */
  async #run(delayMs: number): Promise<void> {
    await this.#pause(delayMs);
    while (this.#waiting.size > 0 && this.#isOpen && !this.#ending.signal.aborted) {
      const pauseMs = await this.#sendBatch();
      if (pauseMs > 0) await this.#options.clock.sleep(pauseMs, this.#ending.signal);
    }
    this.#loop = null;
    this.#due = new AbortController();
  }

  /** @returns how long to wait before the next batch */
  async #sendBatch(): Promise<number> {
    const batch = this.#nextBatch();
    const { send, onRefused, random } = this.#options;
    try {
      const { acked, refused } = await send(batch.map(([, report]) => report));
      this.#doubt.clear();
      const before = this.#waiting.size;
      this.#drop(batch, acked);
      for (const [, report] of batch) {
        const no = refused.find(({ id }) => id === report.id);
        if (no !== undefined) onRefused(report, no.reason);
      }
      this.#drop(
        batch,
        refused.map(({ id }) => id),
      );
      this.#tries = this.#waiting.size < before ? 0 : this.#tries + 1;
      return this.#tries === 0 ? 0 : retryDelay(policy, this.#tries, null, random);
    } catch (error) {
      return this.#takeFailure(batch, error);
    }
  }

  #takeFailure(batch: [string, NetworkReport][], error: unknown): number {
    this.#tries += 1;
    const { onRefused, onClosed, random } = this.#options;
    if (!this.#doubt.isFinal(error)) return retryDelay(policy, this.#tries - 1, error, random);
    const [only] = batch;
    if (error.status === 400 || error.status === 413) {
      // One of them is invalid: send them one by one until it is found.
      this.#batchMax = 1;
      if (batch.length > 1 || only === undefined) return 0;
      this.#waiting.delete(only[0]);
      this.#batchMax = BATCH_MAX;
      onRefused(only[1], error.message);
      return 0;
    }
    this.#isOpen = false;
    onClosed(error);
    return 0;
  }

  /** Oldest first; each id at most once per batch, since the answer contains only ids. */
  #nextBatch(): [string, NetworkReport][] {
    const ids = new Set<string>();
    const batch: [string, NetworkReport][] = [];
    for (const entry of this.#waiting) {
      if (batch.length === this.#batchMax) break;
      if (ids.has(entry[1].id)) continue;
      ids.add(entry[1].id);
      batch.push(entry);
    }
    return batch;
  }

  #drop(batch: [string, NetworkReport][], ids: readonly string[]): void {
    const gone = new Set(ids);
    for (const [name, report] of batch)
      // A newer report with the same name, added while this one was in flight, stays.
      if (gone.has(report.id) && this.#waiting.get(name) === report) this.#waiting.delete(name);
  }

  async #pause(delayMs: number): Promise<void> {
    if (delayMs > 0 && !this.#due.signal.aborted)
      await this.#options.clock.sleep(delayMs, AbortSignal.any([this.#due.signal, this.#ending.signal]));
  }
}
