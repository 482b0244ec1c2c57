import type { ProviderSourceType } from '../contract/price-type.ts';
import type { Context } from '../platform/context.ts';
import type { CurvePoint } from './curve.ts';
import { findNewestCurve, selectWholeCurve, type CurveRow } from './queries.ts';

/** The newest curve of a product, of one kind of provider or of whichever has the most; null if there is none. */
export async function newestCurve(
  { sql }: Pick<Context, 'sql'>,
  of: { productId: number; sellers: ProviderSourceType | null },
): Promise<(CurveRow & { points: CurvePoint[] }) | null> {
  const curve = await findNewestCurve(sql, of);
  return curve === null ? null : { ...curve, points: await selectWholeCurve(sql, curve.id) };
}
