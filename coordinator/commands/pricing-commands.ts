import { Command } from 'commander';
import { z } from 'zod';
import { priceType } from '../contract/price-type.ts';
import { repriceDays } from '../market/pricing/reprice-days.ts';
import { acceptVotes, listRulings, withdrawRuling } from '../market/pricing/rule-votes.ts';
import { termOf } from './describe-explanation.ts';
import type { Edges } from './edges.ts';
import { table } from './text-table.ts';
import { withMarket } from './open-platform.ts';

const day = z.iso.date('must be YYYY-MM-DD');
const ruling = z.object({
  type: z.coerce.number('must be a number').pipe(priceType).default(0),
  from: day,
  to: day.optional(),
  reason: z.string().trim().min(1, 'must say why').max(500),
});

export const acceptCommand = (edges: Edges): Command =>
  new Command('accept')
    .description('Lets the votes of a provider for a product count although the screens keep them out')
    .argument('<provider>', 'its slug, as the report of the day has it')
    .argument('<product>', 'slug or id')
    .option('--type <n>', 'the price type: -1 spot, 0 on demand, 12 a year, 100 new and so on', '0')
    .requiredOption('--from <day>', 'the first day (YYYY-MM-DD)')
    .option('--to <day>', 'the last day; without it, until the ruling is withdrawn')
    .requiredOption('--reason <why>', 'how the price was confirmed')
    .action(async (provider: string, product: string, given: unknown) => {
      const { type, from, to = null, reason } = parse(given);
      if (to !== null && to < from) throw new Error('--to: must not be before --from');
      await withMarket(edges, async (context) => {
        const made = await acceptVotes(context, {
          provider,
          product,
          priceType: type,
          firstDay: from,
          lastDay: to,
          reason,
        });
        edges.stdout.write(`ruling ${made.id}; ${daysInWords(made.days)} computed again\n`);
      });
    });

export const rulingsCommand = (edges: Edges): Command =>
  new Command('rulings').description('Votes that count by an operator’s ruling').action(async () => {
    await withMarket(edges, async (context) => {
      const all = await listRulings(context);
      edges.stdout.write(
        all.length === 0
          ? 'no rulings\n'
          : table(
              ['id', 'provider', 'product', 'term', 'days', 'reason'],
              all.map((one) => [
                one.id,
                one.provider,
                one.product,
                termOf(one.price_type),
                `${one.first_day} to ${one.last_day ?? 'now'}`,
                one.reason,
              ]),
            ),
      );
    });
  });

export const withdrawCommand = (edges: Edges): Command =>
  new Command('withdraw')
    .description('Withdraws a ruling: the screens judge those votes again')
    .argument('<ruling>', 'its id; ingest rulings shows it')
    .action(async (id: string) => {
      if (!/^[1-9]\d{0,17}$/.test(id)) throw new Error('The ruling must be an id: ingest rulings shows them.');
      await withMarket(edges, async (context) => {
        const { days } = await withdrawRuling(context, id);
        edges.stdout.write(`ruling ${id} is withdrawn; ${daysInWords(days)} computed again\n`);
      });
    });

export const repriceCommand = (edges: Edges): Command =>
  new Command('reprice')
    .description('Computes prices of earlier rules again now; a running coordinator does it by itself')
    .action(async () => {
      await withMarket(edges, async (context) => {
        const days = await repriceDays(context, (done) =>
          edges.stdout.write(`${done[0] ?? ''} to ${done.at(-1) ?? ''}\n`),
        );
        edges.stdout.write(`${daysInWords(days)} computed again\n`);
      });
    });

const daysInWords = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

function parse(given: unknown): z.output<typeof ruling> {
  const parsed = ruling.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`--${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is wrong'}`);
}
