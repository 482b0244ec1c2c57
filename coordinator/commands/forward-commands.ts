import { readFile, stat, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { z } from 'zod';
import { chartFile } from '../charts/standalone.ts';
import { chartWidths } from '../charts/svg-parts.ts';
import { termLines } from '../charts/term-lines.ts';
import { buildCurves } from '../forward/build-curves.ts';
import { explainCurves, type ExplainedCurve } from '../forward/explain-curve.ts';
import { loadRatios } from '../forward/load-ratios.ts';
import { hotMarket } from '../market/hot-market.ts';
import type { Edges } from './edges.ts';
import { withMarket } from './open-platform.ts';
import { table } from './text-table.ts';
import { minuteText } from '../platform/minute-text.ts';

const day = z.iso.date('must be YYYY-MM-DD');
const MOST_BYTES = 16 * 1024 * 1024;

/** `forward build [--from --to]`, `forward explain <gpu> <date>`, `forward ratios <file>`. */
export const forwardCommands = (edges: Edges): Command =>
  new Command('forward')
    .description('Forward curves of rental rates, one for each business day')
    .addCommand(
      new Command('build')
        .description('computes the curves of business days that are over and have none; those that are stored stay')
        .option('--from <day>', 'first day (YYYY-MM-DD)', '2015-01-01')
        .option('--to <day>', 'last day', '9999-12-31')
        .action(async (given: { from: string; to: string }) => {
          const range = { from: dayOf('--from', given.from), to: dayOf('--to', given.to) };
          await withMarket(edges, async (context) => {
            let days = 0;
            let count = 0;
            for await (const built of buildCurves(context, range)) {
              days += 1;
              count += built.curves;
            }
            edges.stdout.write(`${count} curves of ${days} days\n`);
          });
        }),
    )
    .addCommand(
      new Command('explain')
        .description('The rates, ratios and providers behind the curves of a day')
        .argument('<gpu>', 'slug or name of a product')
        .argument('<date>', 'day of the curve, YYYY-MM-DD')
        .option('--chart <file>', 'writes the first curve as SVG')
        .action(async (gpu: string, on: string, { chart }: { chart?: string }) => {
          const date = dayOf('The date', on);
          await withMarket(edges, async (context) => {
            const curves = await explainCurves(context, await hotMarket(context)(), { gpu, day: date });
            edges.stdout.write(curves.map(describeCurve).join('\n'));
            const [first] = curves;
            if (chart !== undefined && first !== undefined) await writeFile(chart, chartOf(first));
          });
        }),
    )
    .addCommand(
      new Command('ratios')
        .description(
          'stores ratios of a committed price to the price on demand: JSON [{vendor, tenor_years, price_ratio, as_of, source_url}]',
        )
        .argument('<file>')
        .action(async (file: string) => {
          if ((await stat(file)).size > MOST_BYTES) throw new Error(`${file} is larger than 16 MiB.`);
          const text = await readFile(file, 'utf8');
          await withMarket(edges, async (context) => {
            edges.stdout.write(`${await loadRatios(context, text)} ratios stored\n`);
          });
        }),
    );

function chartOf({ slug, provider_source_type, as_of, points }: ExplainedCurve): string {
  const title = `${slug}, ${provider_source_type.toLowerCase()}s, as of ${as_of}`;
  return chartFile(termLines(points, chartWidths.wide), title);
}

function dayOf(what: string, text: string): string {
  const date = day.safeParse(text);
  if (!date.success) throw new Error(`${what}: must be YYYY-MM-DD`);
  return date.data;
}

/** Months between the points shown; the curve itself has one every quarter of a month. */
const SHOWN_EVERY_MONTHS = 3;

/** A curve and its inputs, as text. */
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
    `${slug}, ${provider_source_type.toLowerCase()}s, ${as_of}; computed ${minuteText(computed_at)} UTC and not changed since`,
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
