import { findProduct } from '../market/find-products.ts';
import type { HotMarket } from '../market/hot-market.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { selectInputs, selectWholeCurve, type CurveRow, findNewestCurve } from './queries.ts';
import { termProviders, type CurveInputs } from './curve-of-class.ts';
import type { CurvePoint } from './curve.ts';
import type { ProviderSourceType } from '../contract/price-type.ts';

export type ExplainedCurve = CurveRow & { inputs: CurveInputs; points: CurvePoint[] };

/** The curves of a product on a day with their inputs. Throws `not_found` if there is none. */
export async function explainCurves(
  { sql }: Context,
  { products }: HotMarket,
  { gpu, day }: { gpu: string; day: string },
): Promise<ExplainedCurve[]> {
  const product = findProduct(products, gpu, 'gpu');
  const curves = await selectInputs(sql, { productId: product.product_id, day });
  if (curves.length === 0)
    throw new DomainError(
      'not_found',
      `${product.product_slug} has no forward curve for ${day}; \`forward build\` builds those of past days.`,
    );
  return Promise.all(curves.map(async (curve) => ({ ...curve, points: await selectWholeCurve(sql, curve.id) })));
}

/** A point with the number of providers whose own rates are behind it. */
type CountedPoint = CurvePoint & { termProviders: number };

/**
 * The newest curve of a product, for one kind of provider or, if none is given, the kind with the most providers; null
 * if there is none.
 */
export async function newestCurve(
  { sql }: Pick<Context, 'sql'>,
  of: { productId: number; sellers: ProviderSourceType | null },
): Promise<(CurveRow & { points: CountedPoint[] }) | null> {
  const curve = await findNewestCurve(sql, of);
  if (curve === null) return null;
  const { inputs, ...row } = curve;
  const countAt = termProviders(inputs);
  const points = await selectWholeCurve(sql, row.id);
  return { ...row, points: points.map((point) => ({ ...point, termProviders: countAt(point.tenor) })) };
}
