import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { z } from 'zod';
import { generatePassword } from '../accounts/ensure-first-admin.ts';
import { passwordLength } from '../contract/password-routes.ts';
import type { Edges } from './edges.ts';

/** The fields that the options of `withPasswordOptions` give a command; what a password may be is for the verb to say. */
export const passwordOptions = {
  password: z.string().optional(),
  passwordStdin: z.boolean().default(false),
};

export const withPasswordOptions = (command: Command): Command =>
  command
    .option('--password <text>', `at least ${passwordLength.least} characters; visible in the process list, so better:`)
    .option('--password-stdin', 'read the password from standard input (or set GPUMARK_USER_PASSWORD)');

/** From the option, standard input or the environment; where none is given one is made, to be shown once. */
export async function givenPassword(
  edges: Edges,
  input: { password?: string | undefined; passwordStdin: boolean },
): Promise<{ password: string; generated: boolean }> {
  const source = input.passwordStdin ? (await readAll(edges.stdin)).replace(/\r?\n$/, '') : input.password;
  const password = source ?? edges.environment['GPUMARK_USER_PASSWORD'];
  if (password === undefined || (password === '' && !input.passwordStdin))
    return { password: generatePassword(edges.randomBytes), generated: true };
  return { password, generated: false };
}
