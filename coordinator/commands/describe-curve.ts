import type { ExplainedCurve } from '../forward/explain-curve.ts';
import { table } from './text-table.ts';

/** Points that are shown; the file of the curve has one every quarter of a month. */
const SHOWN_EVERY_MONTHS = 3;

/** A curve and what it was made of, in lines for a person. */
export function describeCurve({
  slug,
  provider_source_type,
  as_of,
  computed_at,
  flags,
  inputs,
  points,
}: ExplainedCurve): string {
  const pairs = inputs.providers.flatMap(({ provider, day, contract, pairs: of }) =>
    of.map(({ country, tenor, rate, on_demand }) => [
      provider,
      day,
      contract,
      country,
      String(tenor),
      usd(rate),
      usd(on_demand),
      (rate / on_demand).toFixed(4),
    ]),
  );
  const own = inputs.providers.flatMap(({ provider, contract, on_demand, ratios }) =>
    ratios.map(({ tenor, ratio }) => [provider, contract, usd(on_demand), String(tenor), ratio.toFixed(4)]),
  );
  const shown = points.filter(({ tenor, basis }) => tenor % SHOWN_EVERY_MONTHS === 0 || basis === 'observed');
  return [
    `${slug}, ${provider_source_type.toLowerCase()}s, ${as_of}; computed ${computed_at.toISOString().slice(0, 16).replace('T', ' ')} UTC and not changed since`,
    ...flags.map((flag) => `! ${flag}`),
    '',
    'votes, USD per GPU hour without upfront:',
    table(['provider', 'day', 'contract', 'country', 'months', 'rate', 'on demand', 'ratio'], pairs),
    'of each provider, the median over its countries:',
    table(['provider', 'contract', 'on demand', 'months', 'ratio'], own),
    ...inputs.ratios.map(
      ({ provider, tenor, ratio, as_of: said, source_url }) =>
        `ratio ${ratio} of ${provider} for ${tenor} months, as of ${said}: ${source_url}`,
    ),
    ...inputs.left.map(({ provider, reason }) => `left out: ${provider}: ${reason}`),
    `level on demand ${usd(inputs.level)}; knots ${inputs.knots.map(({ tenor, rate, basis }) => `${tenor} months ${usd(rate)} (${basis})`).join(', ')}`,
    '',
    table(
      ['months', 'term', 'forward', 'basis'],
      shown.map(({ tenor, term, forward, basis }) => [String(tenor), usd(term), usd(forward), basis]),
    ),
  ].join('\n');
}

const usd = (amount: number): string => amount.toFixed(4);
