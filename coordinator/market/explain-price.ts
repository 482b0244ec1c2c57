import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { selectExplained, type ExplainedObservation, type ExplainedVote } from './queries/explain.ts';
import type { PriceRow } from './queries/prices.ts';

export interface Explanation {
  product: { product_id: number; slug: string; name: string };
  prices: PriceRow[];
  votes: ExplainedVote[];
  observations: ExplainedObservation[];
}

/** Everything behind the prices of a product on a day. Throws `not_found` for an unknown product. */
export async function explainPrice({ sql }: Context, slugOrId: string, day: string): Promise<Explanation> {
  const explained = await selectExplained(sql, slugOrId, day);
  if (!explained) throw new DomainError('not_found', `No product has the slug or id ${slugOrId}.`);
  return explained;
}
