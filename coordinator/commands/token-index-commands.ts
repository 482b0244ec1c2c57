import { Command } from 'commander';
import { z } from 'zod';
import { explainIndex, type IndexExplanation } from '../tokens/explain-index.ts';
import { indexDefinitions } from '../tokens/indices/index-definitions.ts';
import { restateIndex } from '../tokens/pricing/recompute-token-days.ts';
import type { Edges } from './edges.ts';
import { explainTokenCommand } from './explain-token-command.ts';
import { withMarket } from './open-platform.ts';
import { parseOptions } from './parse-options.ts';
import { table } from './text-table.ts';
import { minuteText } from '../platform/minute-text.ts';

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

/**
 * `ingest explain-token <model> <day>`, `ingest explain-index <day> [--token <name>]` and `ingest restate-index <day> --reason
 * <text>`.
 */
export const tokenIndexCommands = (edges: Edges): Command[] => [
  explainTokenCommand(edges),
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

/** Most lines shown of unpriced and of free items, which are many and small. */
const MOST_OTHERS = 20;

/** A figure of an index and its inputs, as text. */
function describeIndex(explained: IndexExplanation): string {
  const { definition, published, restatements } = explained;
  const head = [
    `${definition.token} ${definition.version} on ${published.day}: ${published.value === null ? `-1 (${published.reason})` : rounded(published.value)}`,
    `${definition.name}, ${definition.unit}; ${published.status}, as of ${minuteText(published.computed_at)} UTC`,
    ...restatements.map(
      ({ restated_at, from_value, to_value, reason }) =>
        `restated ${restated_at.toISOString().slice(0, 10)}: ${from_value ?? 'none'} -> ${to_value ?? 'none'}: ${reason}`,
    ),
    '',
  ];
  const body = explained.links === null ? expenditureLines(explained) : linkLines(explained.links);
  const isOther = explained.value !== null && rounded(explained.value) !== rounded(published.value ?? '');
  const other = `what is stored now gives ${rounded(explained.value ?? '')}; the published figure ${published.status === 'frozen' ? 'is frozen: ingest restate-index' : 'was another'}\n`;
  return [...head, ...body, ...(isOther && published.value !== null ? [other] : [])].join('\n');
}

const rounded = (value: string): string => (value === '' ? 'none' : Number(value).toFixed(4));
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

function expenditureLines({ published, paid, unpriced, free, money, tokens, value }: IndexExplanation): string[] {
  if (paid.length + unpriced.length + free.length === 0) return [published.reason ?? '', ''];
  const shareOf = (part: { toString: () => string }, all: { toString: () => string }): string =>
    percent(Number(part.toString()) / (Number(all.toString()) || 1));
  const paidTable = table(
    ['money USD', 'share', 'input tokens', 'output tokens', 'in USD/M', 'out USD/M', 'catalogue', 'item'],
    paid.map((item) => [
      item.money.toFixed(2),
      shareOf(item.money, money),
      `${item.tokens_input ?? '?'}${item.is_estimated ? '~' : ''}`,
      `${item.tokens_output ?? '?'}${item.is_estimated ? '~' : ''}`,
      item.price_input ?? '',
      item.price_output ?? '',
      item.catalogue_day ?? '',
      `${item.permaslug}${item.variant === 'standard' ? '' : `:${item.variant}`}`,
    ]),
  );
  const sum = `${money.toFixed(2)} USD for ${tokens.toFixed(0)} tokens of ${paid.length} items = ${value ?? 'no figure'} USD per million`;
  const coverage = `coverage ${published.coverage ?? 'none'} of the tokens not free; ~ is an estimated split of input and output`;
  return [paidTable, sum, coverage, ...others('without a price', unpriced), ...others('free, not counted', free), ''];
}

function others(what: string, items: IndexExplanation['unpriced']): string[] {
  if (items.length === 0) return [];
  const more = items.length > MOST_OTHERS ? [`  and ${items.length - MOST_OTHERS} more`] : [];
  const lines = items
    .slice(0, MOST_OTHERS)
    .map(
      ({ tokens, permaslug, variant }) =>
        `  ${tokens.padStart(16)} tokens  ${permaslug}${variant === 'standard' ? '' : `:${variant}`}`,
    );
  return ['', `${what}: ${items.length}`, ...lines, ...more];
}

function linkLines({ before, splices, change, value }: NonNullable<IndexExplanation['links']>): string[] {
  return [
    table(
      ['through', 'ln to the day', 'ln to the day before', 'difference'],
      splices.map(({ day, inNew, inOld }) => [day, inNew.toFixed(9), inOld.toFixed(9), (inNew - inOld).toFixed(9)]),
    ),
    `${before.day}: ${before.value}, x exp(mean of the differences ${change.toFixed(9)}) = ${rounded(value)}`,
    '',
  ];
}
