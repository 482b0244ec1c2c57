import { Command, Option } from 'commander';
import { z } from 'zod';
import { createUser } from '../accounts/create-user.ts';
import { loginRequest, role, tier } from '../contract/user.ts';
import type { Edges } from './edges.ts';
import { givenPassword, passwordOptions, withPasswordOptions } from './given-password.ts';
import { parseOptions } from './parse-options.ts';
import { withAccounts } from './with-accounts.ts';

const name = z.string().max(120).trim();

const options = z.object({
  email: loginRequest.shape.email,
  ...passwordOptions,
  company: name.min(1),
  role: role.default('user'),
  tier: tier.optional(),
  firstName: name.default(''),
  lastName: name.default(''),
});

export const createUserCommand = (edges: Edges): Command =>
  withPasswordOptions(
    new Command('create')
      .description('Adds a user, and the company where it is new. Without a password one is made and printed once.')
      .requiredOption('--email <address>', 'e-mail address to log in with'),
  )
    .requiredOption('--company <name>', 'customer the user belongs to')
    .addOption(new Option('--role <role>', 'what the user may see').choices(role.options).default('user'))
    .addOption(new Option('--tier <tier>', 'subscription of a new company (basic if omitted)').choices(tier.options))
    .option('--first-name <name>')
    .option('--last-name <name>')
    .action((given: unknown) => create(edges, given));

async function create(edges: Edges, given: unknown): Promise<void> {
  const input = parseOptions(options, given);
  const { password, generated } = await givenPassword(edges, input);
  await withAccounts(edges, async (context) => {
    const { email, company, firstName, lastName } = input;
    const user = { email, password, company, role: input.role, tier: input.tier ?? null, firstName, lastName };
    const { userId } = await createUser(context, user);
    edges.stdout.write(`user ${userId} ${email} of ${company}\n`);
    if (generated) edges.stdout.write(`one-time password: ${password}\n`);
  });
}
