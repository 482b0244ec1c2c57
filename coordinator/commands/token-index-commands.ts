import { Command } from 'commander';
import { z } from 'zod';
import { explainIndex } from '../tokens/explain-index.ts';
import { indexDefinitions } from '../tokens/indices/index-definitions.ts';
import { restateIndex } from '../tokens/restate-index.ts';
import { describeIndex } from './describe-index.ts';
import type { Edges } from './edges.ts';
import { parseOptions } from './parse-options.ts';
import { withMarket } from './with-market.ts';

const day = z.iso.date();
const tokens = indexDefinitions.map(({ token }) => token);
const explainOptions = z.object({
  token: z.enum(tokens, `must be one of ${tokens.join(', ')}`).default('expenditure'),
});
const restateOptions = z.object({
  reason: z
    .string('say why; customers may ask')
    .trim()
    .min(1, 'must not be empty')
    .max(500, 'must be at most 500 characters'),
});

/** `ingest explain-index <day> [--token <name>]` and `ingest restate-index <day> --reason <text>`. */
export const tokenIndexCommands = (edges: Edges): Command[] => [
  new Command('explain-index')
    .description('The models, tokens, prices and weights behind a token index of a day')
    .argument('<day>', 'YYYY-MM-DD')
    .option('--token <name>', `which index: ${tokens.join(', ')} (default: expenditure)`)
    .action(async (on: string, given: unknown) => {
      const [date, { token }] = [dayOf(on), parseOptions(explainOptions, given)];
      await withMarket(edges, async (context) => {
        edges.stdout.write(describeIndex(await explainIndex(context, { day: date, token })));
      });
    }),
  new Command('restate-index')
    .description(
      'Computes the token indices of a day again although they are frozen; what changes is listed with the reason',
    )
    .argument('<day>', 'YYYY-MM-DD')
    .option('--reason <text>', 'why the published figures change')
    .action(async (on: string, given: unknown) => {
      const [date, { reason }] = [dayOf(on), parseOptions(restateOptions, given)];
      await withMarket(edges, async (context) => {
        const changes = await restateIndex(context, { day: date, reason });
        const lines = changes.map(
          ({ token, day: changed, from_value, to_value }) =>
            `${changed} ${token}: ${from_value ?? 'none'} -> ${to_value ?? 'none'}\n`,
        );
        edges.stdout.write(lines.length > 0 ? lines.join('') : `${date}: the figures come out as they are published\n`);
      });
    }),
];

function dayOf(text: string): string {
  const date = day.safeParse(text).data;
  if (date === undefined) throw new Error('The day must be YYYY-MM-DD.');
  return date;
}
