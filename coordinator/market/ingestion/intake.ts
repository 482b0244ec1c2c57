import type { Context } from '../../platform/context.ts';
import type { CopyIn } from '../../platform/db/driver/copy.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { isDatabaseError } from '../../platform/db/error-kind.ts';
import { addPartitions, copyObservations, copyToStaging, moveStaged, summariseTimes } from '../queries/observations.ts';

/** Bytes of lines that go to Postgres at once. */
const CHUNK = 64 * 1024;
/** Beside the months: rows of days that had their turn already. */
const STAGING = 'staging';

/**
 * Lines of observations on their way into a transaction. Rows that come day by day go where they stay, so that a day's
 * blocks lie together. From the first row on that goes back to an earlier day they go into a table of the transaction, and
 * are sorted at the end.
 */
export class Intake {
  readonly #context: Context;
  readonly #tx: Transaction;
  readonly #days = new Set<string>();
  /** a month, or the staging */
  #place = '';
  #copy: CopyIn | null = null;
  #day = '';
  #time: Date | null = null;
  #lines = '';

  constructor(context: Context, tx: Transaction) {
    this.#context = context;
    this.#tx = tx;
  }

  /** YYYY-MM-DD, in their order */
  get days(): string[] {
    return [...this.#days].toSorted();
  }

  /** Takes the line of a time. A promise if Postgres must catch up first. */
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

  /** No line follows: the transaction can be asked again. */
  async endCopy(): Promise<void> {
    if (this.#lines !== '') await this.#send();
    await this.#copy?.end();
    this.#copy = null;
  }

  /** After the last line: all of it is in `observation` then. The promise in the answer is kept once the index over time knows it. */
  async settle(): Promise<{ indexed: Promise<void> }> {
    const months = [...new Set(this.days.map((day) => day.slice(0, 7)))];
    if (this.#place === STAGING) {
      await this.#addPartitions(months);
      await moveStaged(this.#tx);
    }
    const indexed = summariseMonths(this.#context, months);
    // Those who wait for it are told.
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

  /** Others wait for the lock that this takes, so it is not held for as long as the transaction runs. */
  async #addPartitions(months: readonly string[]): Promise<void> {
    await this.#context.sql.begin((short) => addPartitions(short, months));
  }

  async #send(): Promise<void> {
    await this.#copy?.write(this.#lines);
    this.#lines = '';
  }
}

/** Has the index over time know what was just written into these months, also by a transaction that has not ended. */
export async function summariseMonths({ sql }: Context, months: readonly string[]): Promise<void> {
  await sql.begin((short) => summariseTimes(short, months)).catch(unlessLocked);
}

/** A vacuum that has the table brings the index up to date itself; without it prices take longer, and are the same. */
function unlessLocked(error: unknown): void {
  if (!isDatabaseError(error, 'locked')) throw error;
}
