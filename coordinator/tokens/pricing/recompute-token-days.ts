import type { Context } from '../../platform/context.ts';
import type { Transaction, Queryable } from '../../platform/db/client.ts';
import { bumpDataVersion } from '../../platform/db/data-version.ts';
import { judgeBook, judgedWith } from './judge-book.ts';
import { recomputeIndices } from '../indices/recompute-indices.ts';
import {
  lockTokenDays,
  selectBaseWeek,
  selectBookRange,
  selectPulseRange,
  type DayRange,
  hasEarlierRules,
  lacksDay,
  saveRules,
  selectReadDays,
} from '../queries/affected-days.ts';
import { deleteBook, insertBook, selectCopiableModels } from '../queries/book.ts';
import {
  deleteIdleModelDays,
  describeModelDays,
  selectDescribedModels,
  selectModelWords,
  type ModelWords,
} from '../queries/model-days.ts';
import { deletePulse, insertPulse } from '../queries/pulse.ts';
import { DomainError } from '../../platform/errors.ts';
import { priceTokens, expenditureTokens } from '../indices/index-definitions.ts';
import { selectIndexDays, type Restatement } from '../queries/index-days.ts';
import { isOpenType, licenceOf, type ModelType, modelTypeOf } from '../identity/model-type.ts';

/** Raised with every change of how days are derived from observations: earlier days are then derived again. */
export const RULES = 1;

/**
 * Derives again what observations of these days can change: book, pulse, what is known of the models, the indices. The same
 * observations give the same figures, in whatever order they came; only a frozen index keeps its value. No figure is for a day
 * that has not begun.
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
  const words = new Map((await selectModelWords(tx)).map((word) => [word.model, word]));
  // By the table alone: what is read later must not change which prices of earlier days are copies.
  const copiable = (await selectCopiableModels(tx)).filter((model) => isOpenType(licenceOf(model)?.openness ?? null));
  await insertBook(tx, book, copiable);
  const judged = judgedWith(book);
  await judgeBook(tx, judged);
  const pulse = await selectPulseRange(tx, { read, book: judged, baseWeek });
  await deletePulse(tx, pulse);
  await insertPulse(tx, pulse, baseWeek);
  await deleteIdleModelDays(tx, widest(book, pulse));
  const models = await selectDescribedModels(tx);
  await describeModelDays(
    tx,
    models.map((model) => ({ model, type: storedTypeOf(model, words) })),
  );
  const openModels = [...words.values()].filter(isOpenModel).map(({ model }) => model);
  await recomputeIndices(tx, { now: context.now(), openModels, cause: causeOf(read) });
  await bumpDataVersion(tx, 'tokens');
}

const widest = (a: DayRange, b: DayRange): DayRange => ({
  first: a.first < b.first ? a.first : b.first,
  last: a.last > b.last ? a.last : b.last,
});

const causeOf = ({ first, last }: DayRange): string =>
  first === last ? `observations of ${first}` : `observations of ${first} to ${last}`;

/**
 * A price also holds on days after its reading: they are derived once they have begun, even if nothing is read on them. After a
 * change of the rules every day is derived again.
 */
export async function deriveNewDays(context: Context): Promise<void> {
  const today = context.now().toISOString().slice(0, 10);
  if (await hasEarlierRules(context.sql, RULES))
    await context.sql.begin(async (tx) => {
      await lockTokenDays(tx);
      // Another process may have done it meanwhile.
      const read = (await hasEarlierRules(tx, RULES)) ? await selectReadDays(tx) : null;
      if (read !== null) await recomputeTokenDays(context, tx, read);
      await saveRules(tx, RULES);
    });
  if (!(await lacksDay(context.sql, today))) return;
  await context.sql.begin((tx) => recomputeTokenDays(context, tx, { first: today, last: today }));
}

/**
 * Computes every index of a day again even if it is frozen, from what is stored now, and records the changes with the operator's
 * reason. Other frozen days keep their values. Throws `not_found` for a day without an index.
 */
export async function restateIndex(
  context: Context,
  { day, reason }: { day: string; reason: string },
): Promise<Restatement[]> {
  return context.sql.begin(async (tx) => {
    await lockTokenDays(tx);
    const rows = await selectIndexDays(tx, [...expenditureTokens, ...priceTokens], day);
    if (rows.length === 0) throw new DomainError('not_found', `No index has been computed for ${day}.`);
    const openModels = await readOpenModels(tx);
    const changes = await recomputeIndices(tx, { now: context.now(), openModels, cause: reason, restated: day });
    await bumpDataVersion(tx, 'tokens');
    return changes;
  });
}

/** Models whose weights are available, as the indices define it. */
export const readOpenModels = async (sql: Queryable): Promise<string[]> =>
  (await selectModelWords(sql)).filter(isOpenModel).map(({ model }) => model);

/** A property of the model, not of the day: as the operator says, else its licence, else whether its weights are available. */
function storedTypeOf(model: string, words: ReadonlyMap<string, ModelWords>): ModelType | null {
  const word = words.get(model);
  if (word === undefined) return modelTypeOf({ model, huggingFaceId: null, openWeights: null });
  const openWeights = word.is_open ? true : word.is_said_closed ? false : null;
  return word.operator_type ?? modelTypeOf({ model, huggingFaceId: null, openWeights });
}

/** As the indices define it: only by what the operator and catalogues say, which is stored; our own tables may change. */
const isOpenModel = ({ operator_type, is_open }: ModelWords): boolean =>
  operator_type === null ? is_open : operator_type !== 'closed-source';
