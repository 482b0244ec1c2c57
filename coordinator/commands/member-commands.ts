import { Command, Option } from 'commander';
import { z } from 'zod';
import { addMember } from '../accounts/members/add-member.ts';
import { changeRole } from '../accounts/members/change-role.ts';
import { makeResetLink } from '../accounts/passwords/make-link.ts';
import { loginRequest, role } from '../contract/user.ts';
import type { Edges } from './edges.ts';
import { parseOptions } from './parse-options.ts';
import { withAccounts } from './with-accounts.ts';

const name = z.string().max(120).trim();
const address = z.object({ email: loginRequest.shape.email });
const roleOf = address.extend({ role });
const newMember = roleOf.extend({ company: name.min(1), firstName: name.default(''), lastName: name.default('') });

const onUser = (command: string, description: string): Command =>
  new Command(command).description(description).requiredOption('--email <address>', 'e-mail address of the user');

export const roleCommand = (edges: Edges): Command =>
  onUser('role', 'Gives a user another role; sessions go on with it')
    .addOption(new Option('--role <role>', 'what the user may see').choices(role.options).makeOptionMandatory())
    .action(async (given: unknown) => {
      const input = parseOptions(roleOf, given);
      await withAccounts(edges, async (context) => {
        const user = await changeRole(context, input);
        edges.stdout.write(`${user.email} of ${user.company} is ${input.role}\n`);
      });
    });

export const addMemberCommand = (edges: Edges): Command =>
  onUser('add-member', 'Adds a user without a password to a company, and a link of seven days that sets one')
    .requiredOption('--company <name>', 'customer the user belongs to')
    .addOption(new Option('--role <role>', 'what the user may see').choices(role.options).default('user'))
    .option('--first-name <name>')
    .option('--last-name <name>')
    .action(async (given: unknown) => {
      const input = parseOptions(newMember, given);
      await withAccounts(edges, async (context) => {
        const { userId, link, mailed } = await addMember(context, input);
        edges.stdout.write(`user ${userId} ${input.email} of ${input.company}\n`);
        edges.stdout.write(
          mailed ? 'the link is on its way by mail\n' : `password link, good once for 7 days: ${link}\n`,
        );
      });
    });

export const resetLinkCommand = (edges: Edges): Command =>
  onUser('reset-link', 'Prints a link that sets a password, good once for one hour').action(async (given: unknown) => {
    const { email } = parseOptions(address, given);
    await withAccounts(edges, async (context) => {
      const made = await makeResetLink(context, email);
      edges.stdout.write(`password link of ${made.email}, good once for one hour: ${made.link}\n`);
    });
  });
