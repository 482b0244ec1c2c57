import { Command } from 'commander';
import { z } from 'zod';
import { explainTokenPrice, type TokenPriceExplanation } from '../tokens/explain-token-price.ts';
import type { Edges } from './edges.ts';
import { withMarket } from './open-platform.ts';
import { table } from './text-table.ts';

const day = z.iso.date();

/** `ingest explain-token <model> <day>`. */
export const explainTokenCommand = (edges: Edges): Command =>
  new Command('explain-token')
    .description('The sellers behind the token prices of a model on a day, and which of them count')
    .argument('<model>', 'developer/name, as in the price book')
    .argument('<day>', 'YYYY-MM-DD')
    .action(async (model: string, on: string) => {
      const date = day.safeParse(on).data;
      if (date === undefined) throw new Error('The day must be YYYY-MM-DD.');
      await withMarket(edges, async ({ sql }) => {
        edges.stdout.write(describe(`${model} on ${date}`, await explainTokenPrice(sql, { model, day: date })));
      });
    });

function describe(head: string, { pulse, counted, prices }: TokenPriceExplanation): string {
  const figures = (input: string | null, output: string | null): string => `${input ?? 'none'} / ${output ?? 'none'}`;
  return [
    `${head}: USD per million tokens, input / output`,
    `mean ${figures(pulse?.avg_price_input ?? null, pulse?.avg_price_output ?? null)}, ` +
      `median ${figures(pulse?.med_price_input ?? null, pulse?.med_price_output ?? null)}, ` +
      `one vote each of ${counted} ${counted === 1 ? 'seller' : 'sellers'} that run the model`,
    '',
    table(
      ['seller', 'kind', 'input', 'output', 'source', 'read on', 'label', 'file', ''],
      prices.map((price) => [
        price.source_id,
        price.source_type,
        price.price_input,
        price.price_output,
        price.source,
        price.observed_on,
        price.labels,
        price.origin ?? '',
        price.fate,
      ]),
    ),
  ].join('\n');
}
