import { ALL_COUNTRIES } from '../../contract/market.ts';
import { explainPriceRequest, type ExplainedVote } from '../../contract/price-evidence.ts';
import { priceTypeDescriptions } from '../../contract/price-type.ts';
import { classHistory } from '../../market/history-price.ts';
import { votesPublished } from '../../market/price-evidence.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { exampleRows } from '../components/example-rows.ts';
import { usd } from '../components/numbers.ts';
import { asked, filled } from '../frame/asked.ts';
import { html, named, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import { hasProduct } from '../frame/tier-page.ts';
import type { Visit } from '../frame/visit.ts';
import { productOf, sellersAsked, underProduct } from './product-of.ts';

const votes = tableOf<ExplainedVote>([
  { name: 'provider', label: 'Provider', value: (row) => row.provider, cell: (row) => named(row.provider) },
  { name: 'provider_source_type', label: 'Kind', value: (row) => row.provider_source_type },
  { name: 'price', label: 'Vote, USD', value: (row) => row.price, cell: (row) => usd(row.price), isNumber: true },
  { name: 'observations', label: 'Observations', value: (row) => row.observations, isNumber: true },
  { name: 'cards', label: 'GPUs of the machine', value: (row) => row.cards, isNumber: true },
  {
    name: 'own_level',
    label: 'Its own 30 days before, USD',
    value: (row) => row.own_level,
    cell: (row) => usd(row.own_level),
    isNumber: true,
  },
  { name: 'own_days', label: 'Days of these, n', value: (row) => row.own_days, isNumber: true },
  { name: 'oldest_quote', label: 'Oldest quote', value: (row) => row.oldest_quote },
  { name: 'counted', label: 'Counts', value: (row) => row.counted },
  { name: 'reason', label: 'Why not', value: (row) => row.reason },
]);

interface VoteListing extends Listing<ExplainedVote> {
  day: string;
  words: string;
}

/** The day's votes as they were judged; the query selects another day, term, place or kind of provider. */
async function load(visit: Visit): Promise<VoteListing> {
  const { market, product } = await productOf(visit);
  const given = filled(visit.query);
  const request = asked(explainPriceRequest, {
    product_id: product.product_id,
    date: given['day'] ?? newestDay(market.worldwide, product.product_id, Number(given['price_type'] ?? 0)),
    price_type: Number(given['price_type'] ?? 0),
    country: given['country'] ?? ALL_COUNTRIES,
  });
  const sellers = asked(sellersAsked, given).provider_source_type;
  const published = await votesPublished(visit.context, market, request);
  const rows = published.votes.filter((row) => sellers === undefined || row.provider_source_type === sellers);
  const days = { start_date: request.date, end_date: request.date };
  const price =
    sellers === undefined
      ? published.price
      : ((await classHistory(visit.context, market, { ...request, ...days }, sellers))[0] ?? null);
  const counted = rows.filter((row) => row.counted).length;
  const kind = sellers === undefined ? '' : `, kind of provider: ${sellers}`;
  const term = `${priceTypeDescriptions[request.price_type]}${kind}`;
  const words = `${counted} of ${rows.length} votes count${price === null ? '' : `, their mean is ${usd(price.price)} USD`}`;
  return { ...wholeListing(rows), day: request.date, words: `${term}: ${words}` };
}

const newestDay = (
  prices: readonly { product_id: number; price_type: number; day: string }[],
  productId: number,
  type: number,
): string | undefined => prices.find((row) => row.product_id === productId && row.price_type === type)?.day;

function show(visit: Visit, listing: Listing<ExplainedVote>): Promise<Response> {
  const { day, words } = listing as VoteListing;
  return productOf(visit).then(({ product }) =>
    page(visit, {
      title: `Votes of ${day} for ${product.name}`,
      ...underProduct(product),
      facts: words,
      body: dataTable(visit, { caption: 'Votes', table: votes, listing, shape: 'scroll', ifEmpty: noVotes(visit) }),
    }),
  );
}

const noVotes = ({ params }: Visit): Content =>
  empty(
    'Nobody voted on this day.',
    html`Choose a day of the <a href="/market/${params['slug'] ?? ''}">table of prices</a>.`,
  );

/** Who voted on the requested or the newest day, and whose votes did not count: a section of the product's page. */
export async function votesSection(visit: Visit, slug: string, day: string | undefined): Promise<Content> {
  if (day === undefined) return null;
  const { actor } = visit.context;
  if (!hasProduct(actor, 'price-evidence')) {
    const tiers = 'standing' in actor ? actor.standing.tiersWith['price-evidence'] : [];
    return html`<section>
      <h2>Votes of a day</h2>
      <p>
        Which providers a price is made of, and why others do not count. It is part of:
        ${tiers?.join(', ') ?? 'no tier'}.
      </p>
    </section>`;
  }
  const kept = ['price_type', 'country', 'provider_source_type'].flatMap((name): [string, string][] => {
    const value = visit.query.get(name);
    return value ? [[name, value]] : [];
  });
  const query = new URLSearchParams([...kept, ['day', day]]);
  const listing = await load({ ...visit, query });
  return html`<section>
    <h2>Votes of ${day}</h2>
    ${dataTable(visit, {
      caption: listing.words,
      table: votes,
      listing,
      shape: 'scroll',
      files: `/market/${slug}/votes?${query.toString()}`,
      ifEmpty: noVotes(visit),
    })}
  </section>`;
}

export const productVotePages: readonly PageRoute[] = list(
  '/market/:slug/votes',
  {
    who: 'member',
    product: 'price-evidence',
    holds: 'Which providers a price of a day is made of, and why others do not count,',
    example: exampleRows(votes, [
      {
        provider: 'Example Cloud A',
        provider_source_type: 'Neocloud',
        segment: null,
        price: 1,
        observations: 3,
        cards: 8,
        oldest_quote: '2000-01-01',
        own_level: 1,
        own_days: 30,
        counted: true,
        reason: null,
      },
      {
        provider: 'Example Cloud B',
        provider_source_type: 'Marketplace',
        segment: null,
        price: 9,
        observations: 1,
        cards: null,
        oldest_quote: '2000-01-01',
        own_level: 2,
        own_days: 12,
        counted: false,
        reason: 'far from its own last 30 days',
      },
    ]),
  },
  { table: votes, load, show },
);
