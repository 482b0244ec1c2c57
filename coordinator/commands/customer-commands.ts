import { resolve } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { eraseCustomer, exportCustomer } from '../accounts/erasure/customer-data.ts';
import { changeCustomerTerms, type CustomerTerms } from '../accounts/standing/change-terms.ts';
import { customerNamed, listCustomers } from '../accounts/standing/customer-actor.ts';
import { terms, tokenIndexTerms } from '../contract/terms.ts';
import { companyName as company } from '../contract/user.ts';
import { sweepArtifacts } from '../platform/artifacts/sweep-artifacts.ts';
import type { Edges } from './edges.ts';
import { parseOptions } from './parse-options.ts';
import { columnsOf, termsShape, tokenIndexShape, withTermsOptions, withTokenIndexOptions } from './terms-options.ts';
import { table } from './text-table.ts';
import { withAccounts } from './open-platform.ts';

const fields = [...Object.keys(terms.shape), ...Object.keys(tokenIndexTerms.shape)];
const column = z.enum(fields.map((field) => field.replaceAll('_', '-')) as [string, ...string[]]);

/** `customer list|show|set|export|delete`: companies, and terms of one of them that differ from its tier. */
export const customerCommands = (edges: Edges): Command =>
  new Command('customer')
    .description('Companies, and where their terms differ from their tier')
    .addCommand(listCommand(edges))
    .addCommand(showCommand(edges))
    .addCommand(setCommand(edges))
    .addCommand(exportCommand(edges))
    .addCommand(deleteCommand(edges));

const listCommand = (edges: Edges): Command =>
  new Command('list').description('All companies').action(() =>
    withAccounts(edges, async (context) => {
      const { customers, more } = await listCustomers(context);
      const rows = customers.map(({ name, tier, ends_at, users, created_at }) => [
        name,
        tier ?? 'none',
        ends_at?.toISOString().slice(0, 10) ?? '',
        String(users),
        created_at.toISOString().slice(0, 10),
      ]);
      edges.stdout.write(table(['company', 'subscription', 'until', 'users', 'since'], rows));
      if (more) edges.stdout.write(`only the first ${customers.length} are shown\n`);
    }),
  );

const onCompany = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption('--company <name>', 'which');

const showCommand = (edges: Edges): Command =>
  onCompany('show', 'What a company may do now').action(async (given: unknown) => {
    const input = parseOptions(z.object({ company }), given);
    await withAccounts(edges, async (context) => {
      const { standing } = await customerNamed(context, input.company);
      const rows = Object.entries(standing.terms).map(([field, value]) => [
        field,
        Array.isArray(value) ? value.join(',') || 'none' : String(value ?? 'all'),
      ]);
      const subscription = standing.subscribed ? standing.tier : 'none: data is read as with the tier basic';
      edges.stdout.write(table(['subscription', subscription], rows));
    });
  });

const exportCommand = (edges: Edges): Command =>
  onCompany('export', 'Writes all that is kept of a company into a new folder: rows as JSON lines, and its files')
    .argument('<folder>')
    .action(async (folder: string, given: unknown) => {
      const input = parseOptions(z.object({ company }), given);
      await withAccounts(edges, async (context) => {
        const { customerId } = await customerNamed(context, input.company);
        const { rows, files } = await exportCustomer(context, customerId, resolve(folder));
        const sum = [...rows.values()].reduce((total, count) => total + count, 0);
        edges.stdout.write(`${sum} rows, ${files} files in ${folder}\n`);
      });
    });

const deleteCommand = (edges: Edges): Command =>
  onCompany('delete', 'Deletes a company with its people, keys, jobs, results and files, for ever')
    .option('--yes', 'confirms the deletion')
    .action(async (given: unknown) => {
      const input = parseOptions(z.object({ company, yes: z.boolean().default(false) }), given);
      await withAccounts(edges, async (context) => {
        const { customerId } = await customerNamed(context, input.company);
        if (!input.yes)
          throw new Error(`${input.company} would be deleted for ever; \`customer export\` keeps a copy. Add --yes.`);
        const deleted = await eraseCustomer(context, customerId);
        // Removes a limited number of files; a running coordinator removes the rest.
        const files = await sweepArtifacts(context);
        const rows = [...deleted].filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
        edges.stdout.write(`${input.company} is deleted: ${rows.join(', ')}; ${files} files\n`);
      });
    });

const setCommand = (edges: Edges): Command =>
  withTokenIndexOptions(
    withTermsOptions(
      onCompany('set', 'Gives a company something else than its tier does, while it has a subscription'),
    ),
  )
    .option('--clear <fields...>', 'terms that follow the tier again, as in --clear burst api-keys')
    .action(async (given: unknown) => {
      const rule = z.object({
        company,
        clear: z.array(column).default([]),
        ...termsShape.shape,
        ...tokenIndexShape.shape,
      });
      const { company: name, clear, ...rest } = parseOptions(rule, given);
      const changes: CustomerTerms = columnsOf(rest);
      for (const field of clear) Object.assign(changes, { [field.replaceAll('-', '_')]: null });
      if (Object.keys(changes).length === 0)
        throw new Error('Name what to change, as in --burst 500, or --clear burst.');
      await withAccounts(edges, async (context) => {
        await changeCustomerTerms(context, await customerNamed(context, name), changes);
        edges.stdout.write(`${name}: ${Object.keys(changes).join(', ')} changed\n`);
      });
    });
