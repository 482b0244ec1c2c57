import { describe } from '../market/price-record.ts';
import { MOST_TIMES, type DayReport, type SourceCoverage } from '../market/report-day.ts';
import { table } from './text-table.ts';

const usd = (price: number): string => price.toFixed(4);
const termOf = (type: number): string => describe(type).replace(/^(Rental Reserved|Rental|Retail) /, '');
const placeOf = (country: string): string => (country === '' ? 'all' : country);
const timesOf = (price: number, other: number): string => `${(price / other).toFixed(2)} times`;

/** Sources, votes that are not counted, and moves of a day. */
export function describeDayReport({ day, sources, screened, moves }: DayReport): string {
  const read = sources.filter(({ now }) => now !== null).length;
  if (sources.length === 0) return `${day}: nothing was observed, nor in the 31 days before\n`;
  return [
    `${day}: ${read} of ${sources.length} sources read\n`,
    'sources, and in brackets their newest day before',
    table(['source', 'rows', 'products', 'providers', 'day before'], sources.map(coverage)),
    screened.length === 0 ? 'no vote was screened out\n' : 'votes that are kept and not counted',
    ...(screened.length === 0
      ? []
      : [
          table(
            ['product', 'term', 'country', 'provider', 'vote', 'why'],
            screened.map(({ slug, price_type, country, provider, price, price_median, provider_count }) => [
              slug,
              termOf(price_type),
              placeOf(country),
              provider,
              usd(price),
              `${timesOf(price, price_median)} the median ${usd(price_median)} of the ${provider_count} that count, and over 3 robust deviations from all`,
            ]),
          ),
        ]),
    moves.length === 0
      ? `no price moved by more than ${MOST_TIMES} times\n`
      : `prices over all countries that moved by more than ${MOST_TIMES} times since the day before`,
    ...(moves.length === 0
      ? []
      : [
          table(
            ['product', 'term', 'before', 'now', 'providers', 'move'],
            moves.map(({ slug, price_type, before, after, providers_before, providers_after }) => [
              slug,
              termOf(price_type),
              usd(before),
              usd(after),
              `${providers_before} -> ${providers_after}`,
              timesOf(after, before),
            ]),
          ),
        ]),
  ].join('\n');
}

function coverage({ source, now, last }: SourceCoverage): string[] {
  const figure = (key: 'rows' | 'products' | 'providers'): string =>
    `${now?.[key] ?? 0}${last === null ? '' : ` (${last[key]})`}`;
  const note = now === null ? `${last?.day ?? ''}, not read` : (last?.day ?? 'none in 31 days');
  return [source, figure('rows'), figure('products'), figure('providers'), note];
}
