import type { UnmatchedLabel } from '../platform/readings/queries.ts';
import { storable } from '../platform/readings/storable.ts';
import type { Refusal } from './listing.ts';

export interface Refused {
  rows: number;
  /** number of the first such row */
  row: number;
  detail: string;
}

/** Counts what became of a file's rows. */
export class Tally<Reason extends string = Refusal> {
  rowsRead = 0;
  readonly refused = new Map<Reason, Refused>();
  private readonly labels = new Map<string, UnmatchedLabel>();

  refuse(refusal: Reason, row: number, detail: string): void {
    const known = this.refused.get(refusal);
    if (known) known.rows += 1;
    else this.refused.set(refusal, { rows: 1, row, detail });
  }

  leaveUnmatched(kind: UnmatchedLabel['kind'], said: string, day: string): void {
    const label = storable(said);
    const key = `${kind} ${label}`;
    const known = this.labels.get(key);
    if (!known) {
      this.labels.set(key, { kind, label, rows: 1, first_seen: day, last_seen: day });
      return;
    }
    known.rows += 1;
    if (day < known.first_seen) known.first_seen = day;
    if (day > known.last_seen) known.last_seen = day;
  }

  get unmatched(): UnmatchedLabel[] {
    return [...this.labels.values()];
  }

  get refusedCounts(): Record<string, number> {
    return Object.fromEntries([...this.refused].map(([refusal, { rows }]) => [refusal, rows]));
  }
}
