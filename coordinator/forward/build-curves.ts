import { buildArchive } from '../platform/archive/build-archive.ts';
import type { Context } from '../platform/context.ts';
import { businessDays, shiftDay } from './business-days.ts';
import { curveOfClass } from './curve-of-class.ts';
import { curvePart, curveRows } from './curve-archive.ts';
import { insertCurve, selectCurveDays, selectCurves, selectRateDays, selectRates, selectRatios } from './queries.ts';

/** Days for which a rate counts as current, as for the rental price of the catalogue. */
const MOST_DAYS_OLD = 30;
/** The background step goes no further back: older days are for `forward build`, once all their files are read. */
const RECENT_DAYS = 7;

interface BuiltDay {
  day: string;
  curves: number;
}

/**
 * Builds the missing curves of the business days in the range that are over, the oldest first; each day in a
 * transaction of its own. Stored curves stay as they are, whatever is read later.
 */
export async function* buildCurves(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltDay> {
  const yesterday = shiftDay(context.now().toISOString().slice(0, 10), -1);
  const last = to < yesterday ? to : yesterday;
  const rateDays = await selectRateDays(context.sql, { first: shiftDay(from, -MOST_DAYS_OLD), last });
  const done = new Set(await selectCurveDays(context.sql, { first: from, last }));
  const first = rateDays[0] === undefined || from > rateDays[0] ? from : rateDays[0];
  for (const day of businessDays(first, last)) {
    const earliest = shiftDay(day, -MOST_DAYS_OLD);
    if (done.has(day) || !rateDays.some((one) => one >= earliest && one <= day)) continue;
    yield { day, curves: await buildDay(context, day) };
  }
}

/** Builds the curves of the last week; a background step. */
export async function buildNewCurves(context: Context): Promise<void> {
  const today = context.now().toISOString().slice(0, 10);
  for await (const { day, curves } of buildCurves(context, { from: shiftDay(today, -RECENT_DAYS), to: today }))
    context.log.info({ day, curves }, 'forward curves');
}

async function buildDay(context: Context, day: string): Promise<number> {
  const [rates, named] = await Promise.all([
    selectRates(context.sql, { first: shiftDay(day, -MOST_DAYS_OLD), last: day }),
    selectRatios(context.sql, day),
  ]);
  const groups = Map.groupBy(rates, ({ product_id, provider_source_type: sellers }) => `${product_id} ${sellers}`);
  const curves = [...groups.values()].flatMap((rows) => {
    const [{ product_id, provider_source_type } = null as never] = rows;
    const built = curveOfClass(rows, { sellers: provider_source_type, named });
    if (built === null) return [];
    const { longest: longest_months, points, ...made } = built;
    const key = { id: context.newId(), product_id, provider_source_type, as_of: day, computed_at: context.now() };
    return [{ row: { ...key, longest_months, ...made }, points }];
  });
  const stored = await context.sql.begin(async (tx) => {
    let count = 0;
    for (const { row, points } of curves) if (await insertCurve(tx, row, points)) count += 1;
    return count;
  });
  for (const curve of await selectCurves(context.sql, { first: day, last: day }))
    await buildArchive(context, curveRows, curvePart(curve));
  return stored;
}
