import { text as readAll } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { z } from 'zod';
import { createUser } from '../accounts/create-user.ts';
import { generatePassword } from '../accounts/ensure-first-admin.ts';
import { loginRequest, role, tier } from '../contract/user.ts';
import { systemContext } from '../platform/context.ts';
import type { Edges } from './edges.ts';
import { openPlatform } from './open-platform.ts';

const MIN_PASSWORD = 12;
/** Bytes of stdin that may be a password. */
const name = z.string().max(120).trim();

const options = z.object({
  email: loginRequest.shape.email,
  password: z.string().min(MIN_PASSWORD).max(1024).optional(),
  passwordStdin: z.boolean().default(false),
  company: name.min(1),
  role: role.default('user'),
  tier: tier.optional(),
  firstName: name.default(''),
  lastName: name.default(''),
});

export const createUserCommand = (edges: Edges): Command =>
  new Command('create')
    .description('Adds a user, and the company where it is new. Without a password one is made and printed once.')
    .requiredOption('--email <address>', 'e-mail address to log in with')
    .option('--password <text>', `at least ${MIN_PASSWORD} characters; visible in the process list, so better:`)
    .option('--password-stdin', 'read the password from standard input (or set GPUMARK_USER_PASSWORD)')
    .requiredOption('--company <name>', 'customer the user belongs to')
    .addOption(new Option('--role <role>', 'what the user may see').choices(role.options).default('user'))
    .addOption(new Option('--tier <tier>', 'subscription of a new company (basic if omitted)').choices(tier.options))
    .option('--first-name <name>')
    .option('--last-name <name>')
    .action((given: unknown) => create(edges, given));

async function create(edges: Edges, given: unknown): Promise<void> {
  const input = parse(given);
  const typed = await givenPassword(edges, input);
  const password = typed ?? generatePassword(edges.randomBytes);
  const { platform, close } = await openPlatform(edges, { applicationName: 'gpumark user create', max: 2 });
  try {
    const { email, company, firstName, lastName } = input;
    const user = { email, password, company, role: input.role, tier: input.tier ?? null, firstName, lastName };
    const { userId } = await createUser(systemContext(platform, 'command'), user);
    edges.stdout.write(`user ${userId} ${email} of ${company}\n`);
    if (typed === null) edges.stdout.write(`one-time password: ${password}\n`);
  } finally {
    await close();
  }
}

function parse(given: unknown): z.output<typeof options> {
  const parsed = options.safeParse(given);
  if (parsed.success) return parsed.data;
  const dashed = (field: PropertyKey | undefined) =>
    String(field).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new Error(parsed.error.issues.map((issue) => `--${dashed(issue.path[0])}: ${issue.message}`).join('\n'));
}

/** From the option, standard input or the environment; null where none is given. */
async function givenPassword(
  edges: Edges,
  input: { password?: string | undefined; passwordStdin: boolean },
): Promise<string | null> {
  const source = input.passwordStdin ? (await readAll(edges.stdin)).replace(/\r?\n$/, '') : input.password;
  const password = source ?? edges.environment['GPUMARK_USER_PASSWORD'];
  if (password === undefined || (password === '' && !input.passwordStdin)) return null;
  if (password.length < MIN_PASSWORD) throw new Error(`The password must have at least ${MIN_PASSWORD} characters.`);
  return password;
}
