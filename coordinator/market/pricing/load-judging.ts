import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { selectMarketplaces, selectPricedProducts, selectRulings, type PricedProduct } from '../queries/pricing.ts';
import { selectUnitChanges } from '../../platform/readings/queries/stored-runs.ts';
import { selectJudged } from '../queries/votes.ts';
import type { Judging } from './judge-day.ts';
import { HISTORY_DAYS } from '../segments.ts';
import { OwnHistory } from './own-history.ts';
import { plausibleBands } from './screen-votes.ts';
import type { VoteTerms } from './votes-of-offers.ts';

/** Form factors that are rented out in machines of eight; a single card is a part of such a machine. */
const BY_EIGHT: ReadonlySet<string> = new Set(['SXM', 'OAM']);
/** Spot prices and used cards. */
const volatileTerms: ReadonlySet<number> = new Set([-1, 102]);

/** Everything needed to form votes and to judge them from a day on. */
export async function loadJudging(tx: Transaction, first: string): Promise<Judging & VoteTerms> {
  const products = await selectPricedProducts(tx);
  const terms = voteTerms(products, await selectMarketplaces(tx));
  const rulings = Map.groupBy(await selectRulings(tx), keyOf);
  const changes = await selectUnitChanges(tx, null);
  const changed = new Set(changes.map(({ source, day }) => `${source} ${day}`));
  const history = new OwnHistory();
  for (const vote of await selectJudged(tx, { first: daysBefore(first, HISTORY_DAYS), last: daysBefore(first, 1) }))
    if (vote.segment === '') history.add(vote);
  return {
    ...terms,
    history,
    isVolatile: ({ provider_id, price_type }) => volatileTerms.has(price_type) || terms.isMarketplace(provider_id),
    bandOf: await plausibleBands(products),
    isAccepted: (vote, day) =>
      rulings.get(keyOf(vote))?.some(({ first_day, last_day }) => day >= first_day && day <= (last_day ?? day)) ??
      false,
    hasChangedUnit: (source, day) => changed.has(`${source} ${day}`),
  };
}

export async function loadVoteTerms(sql: Queryable): Promise<VoteTerms> {
  const [products, marketplaces] = await Promise.all([selectPricedProducts(sql), selectMarketplaces(sql)]);
  return voteTerms(products, marketplaces);
}

function voteTerms(products: readonly PricedProduct[], marketplaceIds: readonly number[]): VoteTerms {
  const marketplaces = new Set(marketplaceIds);
  const byEight = new Set(
    products.filter(({ form_factor }) => BY_EIGHT.has(form_factor ?? '')).map(({ product_id }) => product_id),
  );
  return {
    isSoldByEight: (productId) => byEight.has(productId),
    isMarketplace: (providerId) => marketplaces.has(providerId),
  };
}

const keyOf = (of: { provider_id: number; product_id: number; price_type: number }): string =>
  `${of.provider_id} ${of.product_id} ${of.price_type}`;

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
