import { text as readAll } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { z } from 'zod';
import { createUser } from '../accounts/create-user.ts';
import { GENERATED_PASSWORD_DAYS, generatePassword } from '../accounts/generated-password.ts';
import { addMember } from '../accounts/members/add-member.ts';
import { changeRole, enableUser } from '../accounts/members/change-member.ts';
import { listUsers } from '../accounts/members/list-users.ts';
import { removeFactorOf } from '../accounts/second-factor/change-factor.ts';
import { revokeUser } from '../accounts/members/revoke-user.ts';
import { makeResetLink } from '../accounts/passwords/make-link.ts';
import { passwordLength } from '../contract/password-routes.ts';
import { companyName, loginRequest, role, tier } from '../contract/user.ts';
import { name } from '../contract/names.ts';
import type { Edges } from './edges.ts';
import { withAccounts } from './open-platform.ts';
import { parseOptions } from './parse-options.ts';
import { table } from './text-table.ts';

/**
 * `user create|list|disable|enable|password|end-sessions|remove-second-factor|role|add-member|reset-link`. Changes take effect
 * in running coordinators within half a second.
 */
export const userCommands = (edges: Edges): Command =>
  new Command('user')
    .description('People who may log in')
    .addCommand(createUserCommand(edges))
    .addCommand(listCommand(edges))
    .addCommand(disableCommand(edges))
    .addCommand(enableCommand(edges))
    .addCommand(passwordCommand(edges))
    .addCommand(endSessionsCommand(edges))
    .addCommand(removeFactorCommand(edges))
    .addCommand(roleCommand(edges))
    .addCommand(addMemberCommand(edges))
    .addCommand(resetLinkCommand(edges));

/** The fields of the options that `withPasswordOptions` adds; the verb checks the rules for passwords. */
const passwordOptions = {
  password: z.string().optional(),
  passwordStdin: z.boolean().default(false),
};

const address = z.object({ email: loginRequest.shape.email });

const onUser = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption('--email <address>', 'e-mail address of the user');

const disableCommand = (edges: Edges): Command =>
  onUser(
    'disable',
    'Ends the sessions and application tokens of a user, who cannot log in until enabled; jobs go on',
  ).action(async (given: unknown) => {
    const { email } = parseOptions(address, given);
    await withAccounts(edges, async (context) => {
      const user = await revokeUser(context, { email, change: { kind: 'disable' } });
      edges.stdout.write(`${user.email} of ${user.company} is disabled; the sessions have ended\n`);
    });
  });

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
      const user = await revokeUser(context, {
        email: input.email,
        change: { kind: 'password', password, isGenerated: generated },
      });
      edges.stdout.write(`${user.email} of ${user.company} has a new password; the sessions have ended\n`);
      if (generated) edges.stdout.write(oneTime(password));
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

const removeFactorCommand = (edges: Edges): Command =>
  onUser(
    'remove-second-factor',
    'For a user who has lost the app and the recovery codes: the password alone signs in again; all sessions end',
  ).action(async (given: unknown) => {
    const { email } = parseOptions(address, given);
    await withAccounts(edges, async (context) => {
      const user = await removeFactorOf(context, email);
      edges.stdout.write(`${user.email} of ${user.company} has no second factor; the sessions have ended\n`);
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

const person = name(120, 0).default('');

const newUser = z.object({
  email: loginRequest.shape.email,
  ...passwordOptions,
  company: companyName,
  role: role.default('user'),
  tier: tier.optional(),
  firstName: person,
  lastName: person,
});

const createUserCommand = (edges: Edges): Command =>
  withPasswordOptions(
    new Command('create')
      .description('Adds a user, and the company if it is new. Without a password one is made and printed once.')
      .requiredOption('--email <address>', 'e-mail address to log in with'),
  )
    .requiredOption('--company <name>', 'customer the user belongs to')
    .addOption(new Option('--role <role>', 'what the user may see').choices(role.options).default('user'))
    .addOption(new Option('--tier <tier>', 'subscription of a new company (basic if omitted)').choices(tier.options))
    .option('--first-name <name>')
    .option('--last-name <name>')
    .action((given: unknown) => create(edges, given));

async function create(edges: Edges, given: unknown): Promise<void> {
  const input = parseOptions(newUser, given);
  const { password, generated } = await givenPassword(edges, input);
  await withAccounts(edges, async (context) => {
    const { email, company, firstName, lastName } = input;
    const user = {
      email,
      password,
      isGenerated: generated,
      company,
      role: input.role,
      tier: input.tier ?? null,
      firstName,
      lastName,
    };
    const { userId } = await createUser(context, user);
    edges.stdout.write(`user ${userId} ${email} of ${company}\n`);
    if (generated) edges.stdout.write(oneTime(password));
  });
}

const oneTime = (password: string): string =>
  `one-time password: ${password}\nit signs in for ${GENERATED_PASSWORD_DAYS} days: set another under Account, or by a link (user reset-link)\n`;

const roleOf = address.extend({ role });
const newMember = roleOf.extend({ company: companyName, firstName: person, lastName: person });

const roleCommand = (edges: Edges): Command =>
  onUser('role', 'Gives a user another role; sessions go on with it')
    .addOption(new Option('--role <role>', 'what the user may see').choices(role.options).makeOptionMandatory())
    .action(async (given: unknown) => {
      const input = parseOptions(roleOf, given);
      await withAccounts(edges, async (context) => {
        const user = await changeRole(context, input);
        edges.stdout.write(`${user.email} of ${user.company} is ${input.role}\n`);
      });
    });

const addMemberCommand = (edges: Edges): Command =>
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

const resetLinkCommand = (edges: Edges): Command =>
  onUser('reset-link', 'Prints a link that sets a password, good once for one hour').action(async (given: unknown) => {
    const { email } = parseOptions(address, given);
    await withAccounts(edges, async (context) => {
      const made = await makeResetLink(context, email);
      edges.stdout.write(`password link of ${made.email}, good once for one hour: ${made.link}\n`);
    });
  });

const withPasswordOptions = (command: Command): Command =>
  command
    .option('--password <text>', `at least ${passwordLength.least} characters; visible in the process list, so better:`)
    .option('--password-stdin', 'read the password from standard input (or set GPUMARK_USER_PASSWORD)');

/** From the option, standard input or the environment; if none is given, one is generated, to be shown once. */
async function givenPassword(
  edges: Edges,
  input: { password?: string | undefined; passwordStdin: boolean },
): Promise<{ password: string; generated: boolean }> {
  const source = input.passwordStdin ? (await readAll(edges.stdin)).replace(/\r?\n$/, '') : input.password;
  const password = source ?? edges.environment['GPUMARK_USER_PASSWORD'];
  if (password === undefined || (password === '' && !input.passwordStdin))
    return { password: generatePassword(edges.randomBytes), generated: true };
  return { password, generated: false };
}
