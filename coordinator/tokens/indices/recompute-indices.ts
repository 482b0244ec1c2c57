import type { Transaction } from '../../platform/db/client.ts';
import {
  insertRestatements,
  saveIndexDays,
  selectIndexDays,
  selectUsageRange,
  type Figure,
  type IndexDayRow,
  type Restatement,
} from '../queries/index-days.ts';
import { selectExpenditure } from '../queries/index-items.ts';
import { expenditureOf } from './expenditure.ts';
import { isFrozen, settle } from './freezing.ts';
import { expenditureTokens, openOnly, priceTokens, VERSION } from './index-definitions.ts';
import { priceFigures } from './token-price.ts';

const DAY_MS = 86_400_000;

interface Given {
  now: Date;
  openModels: readonly string[];
  /** why a published figure may change */
  cause: string;
  /** a day that is computed again although it is frozen */
  restated?: string;
}

/**
 * Computes every index on every day that is not frozen, from the first day with usage to the last. Returns the changes to
 * published figures.
 */
export async function recomputeIndices(tx: Transaction, given: Given): Promise<Restatement[]> {
  const range = await selectUsageRange(tx);
  if (range === null) return [];
  const changes: Restatement[] = [];
  const days = everyDay(range);
  const restated = new Set(given.restated === undefined ? [] : [given.restated]);
  const stored = await storedDays(tx, [...expenditureTokens, ...priceTokens]);
  const isOpenDay = (token: string, day: string): boolean => {
    const row = stored.get(token)?.get(day);
    return row === undefined || restated.has(day) || !isFrozen(row, given.now);
  };
  const write = async (token: string, figures: readonly Figure[]): Promise<void> => {
    const known = stored.get(token) ?? new Map<string, IndexDayRow>();
    const { rows, restatements } = settle(known, { token, version: VERSION, figures, restated }, given);
    if (rows.length > 0) await saveIndexDays(tx, rows);
    await insertRestatements(tx, restatements);
    changes.push(...restatements);
    for (const row of rows) known.set(row.day, row);
    stored.set(token, known);
  };
  const asked = days.filter((day) => expenditureTokens.some((token) => isOpenDay(token, day)));
  const sums = Map.groupBy(
    await selectExpenditure(tx, { days: asked, openModels: given.openModels }),
    ({ day }) => day,
  );
  for (const token of expenditureTokens) {
    const isOpen = openOnly[token];
    const figures = days.map((day) => {
      const ofDay = sums.get(day) ?? [];
      return expenditureOf(day, isOpen === null ? ofDay : ofDay.filter((row) => row.is_open === isOpen));
    });
    await write(token, figures);
  }
  const withFigure = new Set(
    [...(stored.get('expenditure')?.values() ?? [])].filter(({ value }) => value !== null).map(({ day }) => day),
  );
  // All other days are linked to the first frozen one, which keeps its value of 100 whatever is restated.
  const bases = new Map(priceTokens.map((token) => [token, firstFrozen(stored.get(token), given.now)]));
  const priced = await priceFigures(tx, {
    days,
    withFigure,
    frozenValue: (token, day) =>
      isOpenDay(token, day) && day !== bases.get(token) ? null : (stored.get(token)?.get(day)?.value ?? null),
  });
  for (const [token, figures] of priced) await write(token, figures);
  return changes;
}

async function storedDays(tx: Transaction, tokens: readonly string[]): Promise<Map<string, Map<string, IndexDayRow>>> {
  const rows = await selectIndexDays(tx, tokens);
  return new Map(
    [...Map.groupBy(rows, ({ token }) => token)].map(([token, ofToken]) => [
      token,
      new Map(ofToken.map((row) => [row.day, row])),
    ]),
  );
}

const firstFrozen = (rows: ReadonlyMap<string, IndexDayRow> | undefined, now: Date): string | undefined =>
  [...(rows?.values() ?? [])].find((row) => isFrozen(row, now))?.day;

function everyDay({ first, last }: { first: string; last: string }): string[] {
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, at) => new Date(Date.parse(first) + at * DAY_MS).toISOString().slice(0, 10));
}
