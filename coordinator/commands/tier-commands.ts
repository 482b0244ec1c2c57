import { Argument, Command } from 'commander';
import { changeTier, listTiers, type TermsChange } from '../accounts/standing/change-terms.ts';
import { terms } from '../contract/terms.ts';
import { tier, type Tier } from '../contract/user.ts';
import type { Edges } from './edges.ts';
import { parseOptions } from './parse-options.ts';
import { columnsOf, termsShape, withTermsOptions } from './terms-options.ts';
import { table } from './text-table.ts';
import { withAccounts } from './open-platform.ts';

/** `tier list|set`: what each subscription tier gives. */
export const tierCommands = (edges: Edges): Command =>
  new Command('tier')
    .description('What each subscription tier gives')
    .addCommand(listCommand(edges))
    .addCommand(setCommand(edges));

const listCommand = (edges: Edges): Command =>
  new Command('list').description('The table of tiers').action(() =>
    withAccounts(edges, async (context) => {
      const tiers = await listTiers(context);
      const fields = Object.keys(terms.shape) as (keyof typeof terms.shape)[];
      const rows = fields.map((field) => [field, ...tiers.map((row) => shown(row[field]))]);
      edges.stdout.write(table(['', ...tiers.map((row) => row.tier)], rows));
    }),
  );

const shown = (value: number | readonly (string | number)[]): string =>
  typeof value === 'number' ? String(value) : value.join(',') || 'none';

const setCommand = (edges: Edges): Command =>
  withTermsOptions(
    new Command('set')
      .description('Changes what a tier gives; running coordinators know within half a second')
      .addArgument(new Argument('<tier>', 'which').choices(tier.options)),
  ).action(async (name: Tier, given: unknown) => {
    const changes: TermsChange = columnsOf(parseOptions(termsShape, given));
    if (Object.keys(changes).length === 0) throw new Error('Name what to change, as in --requests-per-minute 600.');
    await withAccounts(edges, async (context) => {
      await changeTier(context, name, changes);
      edges.stdout.write(`${name}: ${Object.keys(changes).join(', ')} changed\n`);
    });
  });
