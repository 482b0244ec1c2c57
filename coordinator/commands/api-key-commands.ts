import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { z } from 'zod';
import { addKeyName, deleteKeyName, keyName } from '../accounts/api-keys/key-names.ts';
import { createKey, deleteKey, listKeys } from '../accounts/api-keys/keys.ts';
import { customerNamed } from '../accounts/standing/customer-actor.ts';
import { companyName as company } from '../contract/user.ts';
import { pathId } from '../contract/wire.ts';
import type { Edges } from './edges.ts';
import { parseOptions } from './parse-options.ts';
import { table } from './text-table.ts';
import { withAccounts } from './open-platform.ts';

const OWNER_ONLY = 0o600;
const named = z.object({ company, name: keyName.shape.name });

/** `api-key list|add-name|create|delete|delete-name`: long-lived keys of a company's programs. */
export const apiKeyCommands = (edges: Edges): Command =>
  new Command('api-key')
    .description('Long-lived keys of programs: names, and two live keys at most under each')
    .addCommand(listCommand(edges))
    .addCommand(addNameCommand(edges))
    .addCommand(createCommand(edges))
    .addCommand(deleteCommand(edges))
    .addCommand(deleteNameCommand(edges));

const onCompany = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption('--company <name>', 'whose keys');
const onName = (name: string, description: string): Command =>
  onCompany(name, description).requiredOption('--name <name>', 'name of the key');

const addNameCommand = (edges: Edges): Command =>
  onName('add-name', 'Adds a name under which keys are made')
    .requiredOption('--description <text>', 'what uses the keys')
    .action(async (given: unknown) => {
      const input = parseOptions(keyName.extend({ company }), given);
      await withAccounts(edges, async (context) => {
        await addKeyName(context, await customerNamed(context, input.company), input);
        edges.stdout.write(`${input.name} was added; "api-key create" makes a key under it\n`);
      });
    });

const createCommand = (edges: Edges): Command =>
  onName('create', 'Makes a key, valid for a year; it is shown only once, or written to a file that only you can read')
    .option('--out <file>', 'write the key there instead; the file must not exist')
    .action(async (given: unknown) => {
      const input = parseOptions(named.extend({ out: z.string().min(1).optional() }), given);
      await withAccounts(edges, async (context) => {
        // Created before the key, so that a path that cannot be written does not lose a key.
        if (input.out !== undefined) await writeFile(input.out, '', { mode: OWNER_ONLY, flag: 'wx' });
        const made = await createKey(context, await customerNamed(context, input.company), input.name);
        if (input.out !== undefined) await writeFile(input.out, `${made.key}\n`);
        const shown = input.out === undefined ? `: ${made.key}` : ` is in ${input.out}`;
        edges.stdout.write(`key ${made.id}, good until ${made.expiresAt.toISOString().slice(0, 10)}${shown}\n`);
      });
    });

const deleteCommand = (edges: Edges): Command =>
  onCompany('delete', 'Deletes a key; it stops working within half a second')
    .requiredOption('--id <id>', 'of the key, as "api-key list" shows it')
    .action(async (given: unknown) => {
      const input = parseOptions(z.object({ company, id: pathId }), given);
      await withAccounts(edges, async (context) => {
        await deleteKey(context, await customerNamed(context, input.company), input.id);
        edges.stdout.write(`key ${input.id} is deleted\n`);
      });
    });

const deleteNameCommand = (edges: Edges): Command =>
  onName('delete-name', 'Deletes a name that has no key left').action(async (given: unknown) => {
    const input = parseOptions(named, given);
    await withAccounts(edges, async (context) => {
      await deleteKeyName(context, await customerNamed(context, input.company), input.name);
      edges.stdout.write(`${input.name} is deleted\n`);
    });
  });

const listCommand = (edges: Edges): Command =>
  onCompany('list', 'Names and keys of a company').action(async (given: unknown) => {
    const input = parseOptions(z.object({ company }), given);
    await withAccounts(edges, async (context) => {
      const names = await listKeys(context, await customerNamed(context, input.company));
      const day = (at: Date | null): string => at?.toISOString().slice(0, 10) ?? '';
      const rows = names.flatMap(({ name, keys }) =>
        keys.length === 0
          ? [[name, '', '', '', '']]
          : keys.map((key) => [name, key.id, key.key_prefix, day(key.expires_at), day(key.last_used_at)]),
      );
      edges.stdout.write(table(['name', 'id', 'key', 'until', 'last used'], rows));
    });
  });
