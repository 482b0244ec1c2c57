import type { SourceRecord } from '../listing.ts';
import type { Places } from './csv-format.ts';
import { CsvRecord } from './csv-records.ts';
import { RowParts } from './row-parts.ts';

/** Rests that are held; a file with more of them begins anew. */
const MOST_KNOWN = 50_000;
const NONE = new CsvRecord('', null);

interface Shared {
  made: object | null;
}

/** A row under its header, one after the other in the same object. */
export class CsvRow<Column extends string> implements SourceRecord {
  number = 0;
  #record = NONE;
  #cells: readonly string[] | null = [];
  #isParted = false;
  readonly #places: Places<Column>;
  readonly #width: number;
  readonly #parts: RowParts | null;
  /** by the rest of rows that have as many cells as the header */
  readonly #known = new Map<string, Shared>();
  #shared: Shared | null = null;

  /** `width`: cells of the header, `varying`: as of the format */
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
   * What `read` makes of a whole row, asked once for all rows that say the same in all but the varying cells, and always of
   * the same `read`.
   */
  once<T extends object>(read: (row: this) => T): T {
    this.#shared ??= this.#share();
    this.#shared.made ??= read(this);
    return this.#shared.made as T;
  }

  /** The next row. */
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

  /** Without blanks around it; empty where the file has no such column. */
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
    // Of its own: a part of a text keeps the whole of it in memory, here all that came with the row.
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
