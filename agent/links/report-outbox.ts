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
  /** One try. */
  send: (reports: NetworkReport[]) => Promise<Acknowledged>;
  clock: Clock;
  random: RandomSource;
  /** A report that will not be sent again although it was not taken. */
  onRefused: (report: NetworkReport, reason: string) => void;
  /** The coordinator accepts no more reports of this session. Called once. */
  onClosed: (error: AnswerError) => void;
}

/** Of the contract's 600: a batch stays far below 1 MB. */
const BATCH_MAX = 200;
/** Its pauses; the budget is the caller's of `close`. */
const policy = passingTrouble(0);

/**
 * Reports wait here until the coordinator has named them. One batch is under way at a time; what fails is sent again with the
 * pauses of every other call, what comes meanwhile joins the next batch. The coordinator takes a report twice as once.
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

  /** Reports that nobody has acknowledged yet. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Keeps it until acknowledged, and sends it within `delayMs` together with what else is there then. */
  add(report: NetworkReport, delayMs: number): void {
    this.#waiting.set(`${report.kind} ${report.id}`, report);
    if (delayMs <= 0) this.#due.abort();
    this.#loop ??= this.#run(delayMs);
  }

  /** What waits goes out now; what comes later has its own delay again. */
  hurry(): void {
    if (this.#loop !== null) this.#due.abort();
  }

  /** Sends what is left for at most `budgetMs`. @returns how many stay undelivered */
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

  /** Runs as long as something waits. */
  async #run(delayMs: number): Promise<void> {
    await this.#pause(delayMs);
    while (this.#waiting.size > 0 && this.#isOpen && !this.#ending.signal.aborted) {
      const pauseMs = await this.#sendBatch();
      if (pauseMs > 0) await this.#options.clock.sleep(pauseMs, this.#ending.signal);
    }
    this.#loop = null;
    this.#due = new AbortController();
  }

  /** @returns how long to wait before the next one */
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
      // One of them is at fault: from now on they go alone, until that one is found.
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

  /** The answer names ids only, so a batch has each id once; oldest first. */
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
      // A newer report of the same name that came while this one was under way stays.
      if (gone.has(report.id) && this.#waiting.get(name) === report) this.#waiting.delete(name);
  }

  async #pause(delayMs: number): Promise<void> {
    if (delayMs > 0 && !this.#due.signal.aborted)
      await this.#options.clock.sleep(delayMs, AbortSignal.any([this.#due.signal, this.#ending.signal]));
  }
}
