import { Big } from 'big.js';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { expenditureOf } from './indices/expenditure.ts';
import {
  indexDefinitions,
  openOnly,
  priceTokens,
  sidesOf,
  type ExpenditureToken,
  type IndexDefinition,
  type IndexToken,
  type PriceToken,
} from './indices/index-definitions.ts';
import { readOpenModels } from './pricing/recompute-token-days.ts';
import { selectIndexDays, selectRestatements, type IndexDayRow, type Restatement } from './queries/index-days.ts';
import { selectExpenditure, selectItems, selectPaidItems, type ItemRow } from './queries/index-items.ts';
import type { Queryable } from '../platform/db/client.ts';
import { WINDOW, pairsOf, daysOfPrices, splicesOf, logChange } from './indices/geks.ts';

interface ExplainedItem extends ItemRow {
  /** USD: tokens x price */
  money: Big;
}

export interface IndexExplanation {
  definition: IndexDefinition;
  published: IndexDayRow;
  restatements: Restatement[];
  /** of an expenditure: paid items, the most expensive first; items without a price; free ones */
  paid: ExplainedItem[];
  unpriced: ItemRow[];
  free: ItemRow[];
  money: Big;
  tokens: Big;
  /** the figure computed from these items now; equals the published one unless a frozen day has been read again since */
  value: string | null;
  /** of a price index: the links behind the change from the previous day with an expenditure */
  links: PriceLinks | null;
}

/** Explains the figure of a day. Throws `not_found` if the day has none. */
export async function explainIndex(
  { sql }: Context,
  { day, token }: { day: string; token: IndexToken },
): Promise<IndexExplanation> {
  const definition = indexDefinitions.find((known) => known.token === token);
  const published = (await selectIndexDays(sql, [token], day)).at(0);
  if (!definition || !published) throw new DomainError('not_found', `${token} has not been computed for ${day}.`);
  const restatements = (await selectRestatements(sql, day)).filter((row) => row.token === token);
  const common = { definition, published, restatements };
  if (isPrice(token)) {
    const links = await explainChange(sql, { token, day });
    const nothing = { paid: [], unpriced: [], free: [], money: new Big(0), tokens: new Big(published.tokens) };
    return { ...common, ...nothing, value: links?.value ?? published.value, links };
  }
  const openModels = await readOpenModels(sql);
  const isOpen = openOnly[token];
  const ofKind = (row: { is_open: boolean | null }): boolean => isOpen === null || row.is_open === isOpen;
  const items = (await selectItems(sql, { days: [day], openModels })).filter(ofKind);
  const sums = (await selectExpenditure(sql, { days: [day], openModels })).filter(ofKind);
  const paid = items.flatMap(withMoney).toSorted((a, b) => b.money.cmp(a.money));
  return {
    ...common,
    paid,
    unpriced: items.filter(({ is_free, price_input }) => !is_free && price_input === null).toSorted(byTokens),
    free: items.filter(({ is_free }) => is_free).toSorted(byTokens),
    money: paid.reduce((sum, { money }) => sum.plus(money), new Big(0)),
    tokens: paid.reduce((sum, { tokens }) => sum.plus(tokens), new Big(0)),
    value: expenditureOf(day, sums).value,
    links: null,
  };
}

const isPrice = (token: ExpenditureToken | PriceToken): token is PriceToken =>
  (priceTokens as readonly string[]).includes(token);

const byTokens = (a: ItemRow, b: ItemRow): number => new Big(b.tokens).cmp(a.tokens);

const MILLIONTH = new Big('0.000001');

/** The item with what was paid for it; empty if it is not paid for. */
function withMoney(item: ItemRow): ExplainedItem[] {
  const { tokens_input, tokens_output, price_input, price_output } = item;
  if (item.is_free || price_input === null || price_output === null || new Big(item.tokens).eq(0)) return [];
  if (new Big(price_input).plus(price_output).eq(0)) return [];
  const money = new Big(tokens_input ?? 0)
    .times(price_input)
    .plus(new Big(tokens_output ?? 0).times(price_output))
    .times(MILLIONTH);
  return [{ ...item, money }];
}

interface PriceLinks {
  before: { day: string; value: string };
  /** by day of both windows: ln of the index from that day to the new one, and to the one before it */
  splices: { day: string; inNew: number; inOld: number }[];
  /** ln of the change from the day before with an expenditure */
  change: number;
  value: string;
}

/** The splices behind a figure of a price index. Null on the first day, if a figure is missing, or if nothing links the days. */
async function explainChange(
  sql: Queryable,
  { token, day }: { token: PriceToken; day: string },
): Promise<PriceLinks | null> {
  const expenditures = (await selectIndexDays(sql, ['expenditure'])).filter(({ value }) => value !== null);
  const at = expenditures.findIndex((row) => row.day === day);
  const days = expenditures.slice(Math.max(0, at - WINDOW), at + 1).map((row) => row.day);
  const yesterday = days.at(-2);
  if (at < 0 || yesterday === undefined) return null;
  const before = (await selectIndexDays(sql, [token], yesterday)).at(0);
  if (!before || before.value === null) return null;
  const between = pairsOf(daysOfPrices(days, await selectPaidItems(sql, days), sidesOf[token]));
  const splices = splicesOf(between, days.length - 1);
  const change = logChange(splices);
  if (change === null) return null;
  return {
    before: { day: yesterday, value: before.value },
    splices: splices.map(({ at: index, inNew, inOld }) => ({ day: days[index] ?? '', inNew, inOld })),
    change,
    value: String(Number(before.value) * Math.exp(change)),
  };
}
