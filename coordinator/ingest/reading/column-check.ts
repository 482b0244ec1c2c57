import { FormatError, type SourceFile } from '../connector.ts';
import { amountIn } from './amount-in.ts';
import { utcTime } from './utc-time.ts';

/** `count`: whole accelerators or a usual part of one, no price. */
export type Looks = 'number' | 'count' | 'date';

/** Filled cells after which a column is judged; a shorter file is judged at its end. */
const SAMPLE = 100;
/** A sixth of an accelerator and the halves down to an eighth are sold. */
const PARTS_OF_ONE = 24;

const fits: Record<Looks, (cell: string) => boolean> = {
  number: (cell) => !Number.isNaN(amountIn(cell) ?? 0),
  count: (cell) => isCount(amountIn(cell) ?? 0),
  date: (cell) => !Number.isNaN(utcTime(cell).getTime()),
};

/** Reads a column's first cells to tell whether it holds what its name says. Free after those. */
export class ColumnCheck {
  readonly #looks: Looks;
  readonly #column: string;
  #filled = 0;
  #fitting = 0;
  #misfit = '';

  constructor(column: string, looks: Looks) {
    this.#column = column;
    this.#looks = looks;
  }

  /** True: judged, and need not be asked again. @throws FormatError */
  see(file: Pick<SourceFile, 'name'>, cell: string): boolean {
    if (cell === '') return false;
    this.#filled += 1;
    if (fits[this.#looks](cell)) this.#fitting += 1;
    else this.#misfit = cell;
    if (this.#filled < SAMPLE) return false;
    this.judge(file);
    return true;
  }

  /** @throws FormatError where fewer than half of the cells are what they should be */
  judge(file: Pick<SourceFile, 'name'>): void {
    if (this.#fitting * 2 >= this.#filled) return;
    const what = { number: 'numbers', count: 'counts', date: 'dates' }[this.#looks];
    const sentence = (example: string) => `the column ${this.#column} holds no ${what}${example}: are columns swapped?`;
    throw new FormatError(file, null, sentence(` (such as "${this.#misfit.slice(0, 40)}")`), sentence(''));
  }
}

function isCount(value: number): boolean {
  if (value >= 1) return Number.isInteger(value);
  const parts = value * PARTS_OF_ONE;
  return Math.abs(parts - Math.round(parts)) < 0.1;
}
