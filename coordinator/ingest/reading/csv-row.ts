import type { SourceRecord } from '../listing.ts';
import type { Places } from './read-csv.ts';
import { CsvRecord } from './csv-records.ts';

/** Rests that are cached; beyond that the cache is cleared. */
const MOST_KNOWN = 50_000;
const NONE = new CsvRecord('', null);

interface Shared {
  made: object | null;
}

/** A row with its cells by column name; the same object is reused for every row. */
export class CsvRow<Column extends string> implements SourceRecord {
  number = 0;
  #record = NONE;
  #cells: readonly string[] | null = [];
  #isParted = false;
  readonly #places: Places<Column>;
  readonly #width: number;
  readonly #parts: RowParts | null;
  /** by the rest of the row, of rows with as many cells as the header */
  readonly #known = new Map<string, Shared>();
  #shared: Shared | null = null;

  /** `width`: number of cells in the header; `varying`: as in `CsvFormat` */
  constructor(places: Places<Column>, { width, varying }: { width: number; varying: readonly Column[] }) {
    this.#places = places;
    this.#width = width;
    const columns = varying.flatMap((column) => places[column] ?? []);
    this.#parts = columns.length === 0 ? null : new RowParts(columns, width);
  }

  get text(): string {
    return this.#record.text;
  }

  get cells(): readonly string[] {
    this.#cells ??= this.#record.cells;
    return this.#cells;
  }

  /** Has as many cells as the header. */
  get isWhole(): boolean {
    return this.#shared !== null || this.cells.length === this.#width;
  }

  /**
   * What `read` makes of a whole row, computed once for all rows that are equal in all but the varying cells. Pass the same
   * `read` every time.
   */
  once<T extends object>(read: (row: this) => T): T {
    this.#shared ??= this.#share();
    this.#shared.made ??= read(this);
    return this.#shared.made as T;
  }

  /** Moves on to the next row. */
  take(record: CsvRecord): void {
    this.number += 1;
    this.#take(record);
    this.#shared = this.#isParted ? (this.#known.get((this.#parts as RowParts).rest) ?? null) : null;
  }

  #take(record: CsvRecord): void {
    this.#record = record;
    this.#cells = null;
    this.#isParted = this.#parts !== null && record.isPlain && this.#parts.part(record.text);
  }

  /** The trimmed cell; empty if the file has no such column. */
  cell(column: Column): string {
    const at = this.#places[column];
    if (at === undefined) return '';
    const varying = this.#isParted ? (this.#parts as RowParts).cell(this.#record.text, at) : null;
    return (varying ?? this.cells[at] ?? '').trim();
  }

  get #rest(): string {
    if (this.#isParted) return (this.#parts as RowParts).rest;
    return `"${JSON.stringify(this.cells.filter((_, at) => this.#parts?.cell('', at) === null))}`;
  }

  #share(): Shared {
    // Copied: a substring keeps its whole string in memory, here the chunk that the row came with.
    const { text, isPlain } = this.#record;
    this.#take(new CsvRecord(copyOf(text), isPlain ? null : this.cells.map(copyOf)));
    const rest = this.#rest;
    const known = this.#known.get(rest);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const shared = { made: null };
    this.#known.set(rest, shared);
    return shared;
  }
}

const copyOf = (text: string): string => Buffer.from(text).toString();

/**
 * Separates the columns of a row that change from row to row (dates, prices) from the rest, which nearly all of millions of
 * rows share with another. The row is not split: commas are counted from the nearer end. A row with a different number of
 * cells than the header never has the rest of a whole row.
 */
class RowParts {
  /** the row without those columns; equal in two rows under the same header only if all their other cells are equal */
  rest = '';
  /** start and end of each of the columns, in their order */
  readonly #bounds: Int32Array;
  readonly #slots: Int32Array;
  readonly #columns: readonly number[];
  readonly #width: number;

  /** `columns`: their indices; `width`: number of cells in a row */
  constructor(columns: readonly number[], width: number) {
    this.#columns = columns.toSorted((a, b) => a - b);
    this.#width = width;
    this.#bounds = new Int32Array(2 * columns.length);
    this.#slots = new Int32Array(width).fill(-1);
    for (const [slot, column] of this.#columns.entries()) this.#slots[column] = slot;
  }

  /** Locates the columns in a row without quotes. False if it has too few cells to contain them. */
  part(text: string): boolean {
    const bounds = this.#bounds;
    for (let slot = 0; slot < this.#columns.length; slot += 1) {
      const column = this.#columns[slot] as number;
      const isNearStart = column < this.#width / 2;
      if (!(isNearStart ? this.#findFromStart(text, slot, column) : this.#findFromEnd(text, slot, column)))
        return false;
    }
    let [rest, from] = ['', 0];
    for (let slot = 0; slot < this.#columns.length; slot += 1) {
      const start = bounds[2 * slot] as number;
      // Adjacent columns have only a comma between them.
      if (start - from > 1) rest += text.slice(from, start);
      from = bounds[2 * slot + 1] as number;
    }
    this.rest = rest + text.slice(from);
    return true;
  }

  /** The cell of one of the columns in the row last passed to `part`; null if the column is not one of them. */
  cell(text: string, column: number): string | null {
    const slot = this.#slots[column] as number;
    return slot < 0 ? null : text.slice(this.#bounds[2 * slot], this.#bounds[2 * slot + 1]);
  }

  #findFromStart(text: string, slot: number, column: number): boolean {
    const before = slot === 0 ? -1 : (this.#columns[slot - 1] as number);
    let at = slot === 0 ? 0 : (this.#bounds[2 * slot - 1] as number) + 1;
    for (let skipped = before + 1; skipped < column; skipped += 1) {
      at = text.indexOf(',', at) + 1;
      if (at === 0) return false;
    }
    const end = text.indexOf(',', at);
    this.#bounds[2 * slot] = at;
    this.#bounds[2 * slot + 1] = end < 0 ? text.length : end;
    return true;
  }

  #findFromEnd(text: string, slot: number, column: number): boolean {
    let end = text.length;
    for (let skipped = this.#width - 1; skipped > column; skipped -= 1) {
      end = end < 1 ? -1 : text.lastIndexOf(',', end - 1);
      if (end < 0) return false;
    }
    const start = end < 1 ? 0 : text.lastIndexOf(',', end - 1) + 1;
    this.#bounds[2 * slot] = start;
    this.#bounds[2 * slot + 1] = end;
    return slot === 0 || start > (this.#bounds[2 * slot - 1] as number);
  }
}
