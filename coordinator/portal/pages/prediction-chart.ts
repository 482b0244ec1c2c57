import { priceStrip } from '../../charts/price-strip.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import type { Prediction } from '../../contract/prediction.ts';
import { chart } from '../components/chart.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { usd } from '../components/numbers.ts';
import { named, type Content } from '../frame/html.ts';

/** A prediction with its percentiles next to the nearest offers. */
export function predictionChart({
  predicted_price: predicted,
  percentiles,
  comparable_offers: offers,
  sample_size: n,
  residuals,
}: Prediction): Content {
  const { p25, p75 } = percentiles;
  const svg = (width: number): string =>
    priceStrip(
      {
        predicted,
        ...percentiles,
        offers: offers.map((offer) => ({ ...offer, provider: named(offer.provider) })),
      },
      width,
    );
  const lower = offers.filter(({ price }) => price < predicted).length;
  return chart({
    title: `Half of such prices lie between ${usd(p25)} and ${usd(p75)} USD per GPU hour, n ${n} ${n === 1 ? 'provider' : 'providers'}, ${residuals} past predictions${offers.length === 0 ? '' : `; ${lower} of ${offers.length} offers ask for less than predicted`}`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: '◆ predicted, dashed line the median, points the nearest offers with their providers.',
    table: numbersTable(
      'Prediction and offers',
      ['What', 'USD per GPU hour'],
      [
        ['predicted', usd(predicted)],
        ...Object.entries(percentiles).map(([name, price]) => [name, usd(price)]),
        ...offers.map(({ provider, price }) => [`offer of ${named(provider)}`, usd(price)]),
      ],
    ),
  });
}
