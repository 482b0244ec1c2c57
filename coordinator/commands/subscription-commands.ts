import { Command, Option } from 'commander';
import { z } from 'zod';
import { customerNamed } from '../accounts/standing/customer-actor.ts';
import { addSubscription, endSubscription, listSubscriptions } from '../accounts/standing/subscriptions.ts';
import { companyName as company, tier } from '../contract/user.ts';
import { day, instant, pathId } from '../contract/wire.ts';
import type { Edges } from './edges.ts';
import { parseOptions } from './parse-options.ts';
import { table } from './text-table.ts';
import { withAccounts } from './open-platform.ts';

/** A day means its first instant, UTC. */
const when = z.union([day, instant]).transform((text) => new Date(text));

/** `subscription list|add|end`: which tier a company has from when to when. */
export const subscriptionCommands = (edges: Edges): Command =>
  new Command('subscription')
    .description('Which tier a company has from when to when')
    .addCommand(listCommand(edges))
    .addCommand(addCommand(edges))
    .addCommand(endCommand(edges));

const onCompany = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption('--company <name>', 'whose');

const listCommand = (edges: Edges): Command =>
  onCompany('list', 'All subscriptions of a company, the newest first').action(async (given: unknown) => {
    const input = parseOptions(z.object({ company }), given);
    await withAccounts(edges, async (context) => {
      const rows = await listSubscriptions(context, await customerNamed(context, input.company));
      const shown = rows.map(({ id, tier: name, starts_at, ends_at }) => [
        id,
        name,
        starts_at.toISOString(),
        ends_at?.toISOString() ?? '',
      ]);
      edges.stdout.write(table(['id', 'tier', 'from', 'until'], shown));
    });
  });

const addCommand = (edges: Edges): Command =>
  onCompany('add', 'Adds a subscription; of two at the same time the one that began later counts')
    .addOption(new Option('--tier <tier>', 'which').choices(tier.options).makeOptionMandatory())
    .option('--starts <date>', 'YYYY-MM-DD or an instant; now if omitted')
    .option('--ends <date>', 'the first day without it; until it is ended if omitted')
    .action(async (given: unknown) => {
      const rule = z.object({ company, tier, starts: when.optional(), ends: when.optional() });
      const input = parseOptions(rule, given);
      await withAccounts(edges, async (context) => {
        const customer = await customerNamed(context, input.company);
        const times = { startsAt: input.starts, endsAt: input.ends ?? null };
        const { id } = await addSubscription(context, customer, { tier: input.tier, ...times });
        edges.stdout.write(`subscription ${id}: ${input.company} has ${input.tier}\n`);
      });
    });

const endCommand = (edges: Edges): Command =>
  onCompany('end', 'Ends a subscription; data stays readable as with the tier basic')
    .requiredOption('--id <id>', 'as "subscription list" shows it')
    .option('--at <date>', 'when; now if omitted')
    .action(async (given: unknown) => {
      const input = parseOptions(z.object({ company, id: pathId, at: when.optional() }), given);
      await withAccounts(edges, async (context) => {
        await endSubscription(context, await customerNamed(context, input.company), { id: input.id, at: input.at });
        edges.stdout.write(`subscription ${input.id} ends ${(input.at ?? context.now()).toISOString()}\n`);
      });
    });
