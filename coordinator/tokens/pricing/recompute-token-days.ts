import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { bumpDataVersion } from '../../platform/db/data-version.ts';
import { recomputeIndices } from '../indices/recompute-indices.ts';
import {
  lockTokenDays,
  selectBaseWeek,
  selectBookRange,
  selectPulseRange,
  type DayRange,
  lacksDay,
} from '../queries/affected-days.ts';
import { deleteBook, insertBook } from '../queries/book.ts';
import { deleteIdleModelDays, describeModelDays } from '../queries/model-days.ts';
import { deletePulse, insertPulse } from '../queries/pulse.ts';
import { readModelTypes } from './read-model-types.ts';

/**
 * Derives again what observations of these days can change: book, pulse, what is known of the models, the indices. The same
 * observations give the same figures, in whatever order they came; only a frozen index stands as it was. No figure is of a day that
 * has not begun.
 */
export async function recomputeTokenDays(
  context: Pick<Context, 'now'>,
  tx: Transaction,
  read: DayRange,
): Promise<void> {
  await lockTokenDays(tx);
  const baseWeek = await selectBaseWeek(tx);
  const book = await selectBookRange(tx, read, context.now().toISOString().slice(0, 10));
  await deleteBook(tx, book);
  await insertBook(tx, book);
  const pulse = await selectPulseRange(tx, { read, book, baseWeek });
  await deletePulse(tx, pulse);
  await insertPulse(tx, pulse, baseWeek);
  await deleteIdleModelDays(tx, widest(book, pulse));
  const { types, openModels } = await readModelTypes(tx);
  await describeModelDays(tx, types);
  await recomputeIndices(tx, { now: context.now(), openModels, cause: causeOf(read) });
  await bumpDataVersion(tx, 'tokens');
}

const widest = (a: DayRange, b: DayRange): DayRange => ({
  first: a.first < b.first ? a.first : b.first,
  last: a.last > b.last ? a.last : b.last,
});

const causeOf = ({ first, last }: DayRange): string =>
  first === last ? `observations of ${first}` : `observations of ${first} to ${last}`;

/** A price holds on days after its reading as well: they are derived once they have begun, whether anything is read on them or not. */
export async function deriveNewDays(context: Context): Promise<void> {
  const today = context.now().toISOString().slice(0, 10);
  if (!(await lacksDay(context.sql, today))) return;
  await context.sql.begin((tx) => recomputeTokenDays(context, tx, { first: today, last: today }));
}
