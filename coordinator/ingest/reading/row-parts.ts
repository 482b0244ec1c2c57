/**
 * Parts a row at the columns that change from row to row (dates, prices) from the rest, which of millions of rows nearly all
 * share with another. Without taking it apart: those columns are counted from the nearer end. A row with another number of cells
 * than the header has another rest than any whole row.
 */
export class RowParts {
  /** what is not in those columns; of two rows of the same header equal only where all those cells are */
  rest = '';
  /** where each of the columns begins and ends, in their order */
  readonly #bounds: Int32Array;
  readonly #slots: Int32Array;
  readonly #columns: readonly number[];
  readonly #width: number;

  /** `columns`: their places, `width`: cells of a row */
  constructor(columns: readonly number[], width: number) {
    this.#columns = columns.toSorted((a, b) => a - b);
    this.#width = width;
    this.#bounds = new Int32Array(2 * columns.length);
    this.#slots = new Int32Array(width).fill(-1);
    for (const [slot, column] of this.#columns.entries()) this.#slots[column] = slot;
  }

  /** A row without quotes. False: it has too few cells to have such columns. */
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
      // A comma alone stands between neighbours in every row.
      if (start - from > 1) rest += text.slice(from, start);
      from = bounds[2 * slot + 1] as number;
    }
    this.rest = rest + text.slice(from);
    return true;
  }

  /** The cell of one of the columns in the row that was parted; null: the column is none of them. */
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
