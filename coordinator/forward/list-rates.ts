import type { ForwardListRequest, ForwardRecord } from '../contract/forward.ts';
import { findProduct } from '../market/find-products.ts';
import type { HotMarket } from '../market/hot-market.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { pageBounds } from '../platform/page.ts';
import { shiftDay } from './business-days.ts';
import { monthsBetween } from './curve.ts';
import { selectPoints, selectReach, type CurvePointRow } from './queries.ts';

/**
 * The forward rate of a date on the newest curve of each kind of provider, or on the curves of the requested days.
 * Throws `validation` if the product has no curve, and for a date that no curve reaches; the message names the allowed
 * dates.
 */
export async function listRates(
  { sql }: Context,
  { products }: HotMarket,
  { gpu, forward_date, as_of, provider_source_type, paginate }: ForwardListRequest,
): Promise<{ total: number; results: ForwardRecord[] }> {
  const product = findProduct(products, gpu, 'gpu');
  const filter = { productId: product.product_id, sellers: provider_source_type ?? null, asOf: as_of ?? null };
  const rows = await selectPoints(sql, { ...filter, forwardDate: forward_date, ...pageBounds(paginate) });
  const results = rows.map((row) => recordOf(row, forward_date));
  const [first] = rows;
  if (first !== undefined) return { total: first.total, results };
  const reach = await selectReach(sql, filter);
  if (reach.length === 0) {
    const any = await selectReach(sql, { productId: product.product_id, sellers: null, asOf: null });
    if (any.length === 0)
      throw invalidField(
        'gpu',
        `${product.product_slug} has no forward curve: no provider publishes term rates for it`,
      );
    if (as_of === undefined)
      throw invalidField(
        'provider_source_type',
        `no ${provider_source_type} publishes term rates for ${product.product_slug}, so they have no curve`,
      );
    throw invalidField(
      'as_of',
      `${product.product_slug} has no curve for these days; the newest is for ${any[0]?.as_of}. A business day has a curve if there are rates from the 30 days before it`,
    );
  }
  const ranges = reach.map(reachOf);
  if (ranges.some(([from, to]) => forward_date >= from && forward_date <= to)) {
    // A page beyond the last.
    const all = await selectPoints(sql, { ...filter, forwardDate: forward_date, limit: 1, offset: 0 });
    return { total: all[0]?.total ?? 0, results: [] };
  }
  const from = ranges.map(([one]) => one).toSorted()[0];
  const to = ranges
    .map(([, one]) => one)
    .toSorted()
    .at(-1);
  throw invalidField(
    'forward_date',
    `must be ${from} to ${to}: after the day of the curve and within its longest tenor`,
  );
}

function recordOf(row: CurvePointRow, forwardDate: string): ForwardRecord {
  return {
    id: row.id,
    gpu: row.slug,
    as_of: row.as_of,
    provider_source_type: row.provider_source_type,
    forward_date: forwardDate,
    tenor_months: row.tenor_months,
    term_rate: rounded(row.term_rate),
    forward_rate: rounded(row.forward_rate),
    basis: row.basis,
    providers: row.providers,
    flags: row.flags,
  };
}

/** Rounded to a ten-thousandth of a cent; files have every digit. */
const rounded = (rate: number): number => Math.round(rate * 1e6) / 1e6;

/** First and last forward date of a curve. */
function reachOf({ as_of, longest_months }: { as_of: string; longest_months: number }): [from: string, to: string] {
  let last = shiftDay(as_of, Math.ceil(((longest_months + 0.125) * 365.25) / 12));
  while (monthsBetween(as_of, last) > longest_months) last = shiftDay(last, -1);
  return [shiftDay(as_of, 1), last];
}
