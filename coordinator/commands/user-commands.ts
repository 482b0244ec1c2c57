import { Command } from 'commander';
import { z } from 'zod';
import { enableUser } from '../accounts/members/enable-user.ts';
import { listUsers } from '../accounts/members/list-users.ts';
import { revokeUser } from '../accounts/members/revoke-user.ts';
import { loginRequest } from '../contract/user.ts';
import { createUserCommand } from './create-user-command.ts';
import type { Edges } from './edges.ts';
import { givenPassword, passwordOptions, withPasswordOptions } from './given-password.ts';
import { addMemberCommand, resetLinkCommand, roleCommand } from './member-commands.ts';
import { parseOptions } from './parse-options.ts';
import { table } from './text-table.ts';
import { withAccounts } from './with-accounts.ts';

/** `user create|list|disable|enable|password|end-sessions|role|add-member|reset-link`. What they change works in running coordinators within half a second. */
export const userCommands = (edges: Edges): Command =>
  new Command('user')
    .description('People who may log in')
    .addCommand(createUserCommand(edges))
    .addCommand(listCommand(edges))
    .addCommand(disableCommand(edges))
    .addCommand(enableCommand(edges))
    .addCommand(passwordCommand(edges))
    .addCommand(endSessionsCommand(edges))
    .addCommand(roleCommand(edges))
    .addCommand(addMemberCommand(edges))
    .addCommand(resetLinkCommand(edges));

const address = z.object({ email: loginRequest.shape.email });

const onUser = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption('--email <address>', 'e-mail address of the user');

const disableCommand = (edges: Edges): Command =>
  onUser('disable', 'Ends the sessions of a user, who cannot log in again until enabled; jobs go on').action(
    async (given: unknown) => {
      const { email } = parseOptions(address, given);
      await withAccounts(edges, async (context) => {
        const user = await revokeUser(context, { email, change: { kind: 'disable' } });
        edges.stdout.write(`${user.email} of ${user.company} is disabled; the sessions have ended\n`);
      });
    },
  );

const enableCommand = (edges: Edges): Command =>
  onUser('enable', 'Lets a disabled user log in again').action(async (given: unknown) => {
    const { email } = parseOptions(address, given);
    await withAccounts(edges, async (context) => {
      const user = await enableUser(context, email);
      edges.stdout.write(`${user.email} of ${user.company} may log in\n`);
    });
  });

const passwordCommand = (edges: Edges): Command =>
  withPasswordOptions(
    onUser('password', 'Sets a password and ends the sessions. Without one given one is made and printed once.'),
  ).action(async (given: unknown) => {
    const input = parseOptions(address.extend(passwordOptions), given);
    const { password, generated } = await givenPassword(edges, input);
    await withAccounts(edges, async (context) => {
      const user = await revokeUser(context, { email: input.email, change: { kind: 'password', password } });
      edges.stdout.write(`${user.email} of ${user.company} has a new password; the sessions have ended\n`);
      if (generated) edges.stdout.write(`one-time password: ${password}\n`);
    });
  });

const endSessionsCommand = (edges: Edges): Command =>
  onUser('end-sessions', 'Ends all sessions of a user; logging in again works').action(async (given: unknown) => {
    const { email } = parseOptions(address, given);
    await withAccounts(edges, async (context) => {
      const user = await revokeUser(context, { email, change: { kind: 'end_sessions' } });
      edges.stdout.write(`the sessions of ${user.email} of ${user.company} have ended\n`);
    });
  });

const listCommand = (edges: Edges): Command =>
  new Command('list').description('Everybody who has an account, by company').action(() =>
    withAccounts(edges, async (context) => {
      const { users, more } = await listUsers(context);
      const rows = users.map((user) => [
        user.company_name,
        user.email,
        user.role,
        user.tier ?? 'none',
        user.created_at.toISOString().slice(0, 10),
        user.disabled_at ? `disabled since ${user.disabled_at.toISOString().slice(0, 10)}` : '',
      ]);
      edges.stdout.write(table(['company', 'e-mail', 'role', 'tier', 'since', ''], rows));
      if (more) edges.stdout.write(`only the first ${users.length} are shown\n`);
    }),
  );
