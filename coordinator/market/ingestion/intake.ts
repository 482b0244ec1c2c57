import type { Context } from '../../platform/context.ts';
import type { CopyIn } from '../../platform/db/driver/copy.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { isDatabaseError } from '../../platform/db/error-kind.ts';
import { addPartitions, copyObservations, copyToStaging, moveStaged, summariseTimes } from '../queries/observations.ts';

/** Characters of lines that are sent to Postgres at once. */
const CHUNK = 64 * 1024;
/** The destination of rows from the first one out of order on; the other destinations are months. */
const STAGING = 'staging';

/**
 * Writes lines of observations within a transaction. Rows that come day by day go straight to their table, so that the
 * blocks of a day are adjacent. From the first row of an earlier day on, rows go to a temporary table and are sorted at
 * the end.
 */
export class Intake {
  readonly #context: Context;
  readonly #tx: Transaction;
  readonly #days = new Set<string>();
  /** the current destination: a month, or `STAGING` */
  #place = '';
  #copy: CopyIn | null = null;
  #day = '';
  #time: Date | null = null;
  #lines = '';

  constructor(context: Context, tx: Transaction) {
    this.#context = context;
    this.#tx = tx;
  }

  /** YYYY-MM-DD, ascending */
  get days(): string[] {
    return [...this.#days].toSorted();
  }

  /** Adds the line of an observation made at `at`. Returns a promise if Postgres must catch up first. */
  add(line: string, at: Date): Promise<void> | null {
    if (at !== this.#time) {
      this.#time = at;
      const day = at.toISOString().slice(0, 10);
      const place = day === this.#day ? this.#place : this.#placeOf(day);
      if (place !== this.#place) return this.#goTo(place, line);
    }
    this.#lines += line;
    return this.#lines.length < CHUNK ? null : this.#send();
  }

  /** Ends the COPY, after which the transaction can run other statements. */
  async endCopy(): Promise<void> {
    if (this.#lines !== '') await this.#send();
    await this.#copy?.end();
    this.#copy = null;
  }

  /**
   * Call after the last line: all rows are in `observation` then. `indexed` resolves once the BRIN index over time
   * covers them.
   */
  async settle(): Promise<{ indexed: Promise<void> }> {
    const months = [...new Set(this.days.map((day) => day.slice(0, 7)))];
    if (this.#place === STAGING) {
      await this.#addPartitions(months);
      await moveStaged(this.#tx);
    }
    const indexed = summariseMonths(this.#context, months);
    // Avoids an unhandled rejection; callers that await it still get the error.
    indexed.catch(() => undefined);
    return { indexed };
  }

  abandon(): void {
    this.#copy?.abandon();
  }

  #placeOf(day: string): string {
    const goesBack = day < this.#day;
    this.#day = day;
    this.#days.add(day);
    return goesBack || this.#place === STAGING ? STAGING : day.slice(0, 7);
  }

  async #goTo(place: string, firstLine: string): Promise<void> {
    await this.endCopy();
    if (place !== STAGING) await this.#addPartitions([place]);
    this.#place = place;
    this.#copy = await (place === STAGING ? copyToStaging(this.#tx) : copyObservations(this.#tx));
    this.#lines = firstLine;
  }

  /** In a transaction of its own, because others wait for its lock and the reading can take long. */
  async #addPartitions(months: readonly string[]): Promise<void> {
    await this.#context.sql.begin((short) => addPartitions(short, months));
  }

  async #send(): Promise<void> {
    await this.#copy?.write(this.#lines);
    this.#lines = '';
  }
}

/**
 * Makes the BRIN index over time cover rows just written to these months, including those of uncommitted transactions.
 */
export async function summariseMonths({ sql }: Context, months: readonly string[]): Promise<void> {
  await sql.begin((short) => summariseTimes(short, months)).catch(unlessLocked);
}

/**
 * Ignores a lock conflict: a vacuum that holds the lock updates the index itself, and without the update pricing takes
 * longer but gives the same prices.
 */
function unlessLocked(error: unknown): void {
  if (!isDatabaseError(error, 'locked')) throw error;
}
