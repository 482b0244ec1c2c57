import { ALL_COUNTRIES } from '../contract/market.ts';
import type { ListRestatementsQuery, Restatement } from '../contract/price-evidence.ts';
import type { Context } from '../platform/context.ts';
import { rounded } from './price-record.ts';
import { selectRestatements, type RestatementRow } from './queries/restatements.ts';

/** Published prices that changed afterwards, the newest change first. */
export async function listRestatements(
  { sql }: Context,
  { product_id, from, to, since, before, num_per_page }: ListRestatementsQuery,
): Promise<{ results: Restatement[]; next: string | null }> {
  const wanted = {
    productId: product_id ?? null,
    from: from ?? null,
    to: to ?? null,
    since: since === undefined ? null : new Date(since),
    before: before ?? null,
  };
  const rows = await selectRestatements(sql, wanted, num_per_page + 1);
  const page = rows.slice(0, num_per_page);
  return {
    results: page.map(restatementOf),
    next: rows.length > num_per_page ? (page.at(-1)?.id ?? null) : null,
  };
}

const reasons: Record<string, (source: string) => string> = {
  reading: (source) => `a reading${source}`,
  undo: (source) => `a reading${source} was undone`,
  rules: () => 'the rules of pricing changed',
  ruling: () => 'a person ruled on a provider’s votes',
};

export const restatementOf = (row: RestatementRow): Restatement => ({
  id: row.id,
  at: row.at.toISOString(),
  date: row.day,
  product_id: row.product_id,
  product_slug: row.slug,
  price_type: row.price_type,
  countries: row.countries.map((country) => (country === '' ? ALL_COUNTRIES : country)),
  before: row.before === null ? null : rounded(row.before, row.price_type),
  after: row.after === null ? null : rounded(row.after, row.price_type),
  reason: reasons[row.reason]?.(row.source === null ? '' : ` of ${row.source}`) ?? row.reason,
});
