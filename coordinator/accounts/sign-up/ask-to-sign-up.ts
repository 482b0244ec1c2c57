import { z } from 'zod';
import { loginRequest } from '../../contract/user.ts';
import { name } from '../../contract/names.ts';
import type { Context } from '../../platform/context.ts';
import { createMailer, type SendMail } from '../../platform/mail/create-mailer.ts';
import { forgotPassword } from '../passwords/forgot-password.ts';
import { makeToken } from '../programs/opaque-token.ts';
import { findUserByEmail } from '../queries.ts';
import { limitLinks, queueMail } from '../throttle/link-mails.ts';
import { countSignUps, insertSignUp } from './queries.ts';

const HOUR_MS = 3_600_000;
const MOST_AN_HOUR = 3;
/** Hours that the link of a sign-up is valid. */
const HOURS = 24;

export const signUpRequest = z.object({
  email: loginRequest.shape.email,
  company: name(60),
  first_name: name(60),
  last_name: name(60),
});
type SignUpRequest = z.output<typeof signUpRequest>;

/** Without mail nobody can prove that an address is theirs; the operator creates the accounts then. */
export const maySignUp = ({ config }: Pick<Context, 'config'>): boolean => createMailer(config) !== null;

/**
 * Mails a link that creates the account. Nothing is looked up before the answer, so it is the same, and as fast, for an address
 * with an account: its owner gets a link that sets the password. Throws `rate_limited` for a network that asks too often.
 */
export async function askToSignUp(context: Context, input: SignUpRequest): Promise<void> {
  await limitLinks(context);
  const send = createMailer(context.config);
  if (send === null) return;
  queueMail(context, 'the link of a sign-up', () => answer(context, send, input));
}

async function answer(context: Context, send: SendMail, input: SignUpRequest): Promise<void> {
  const { sql, config } = context;
  if ((await findUserByEmail(sql, input.email)) !== null) return void (await forgotPassword(context, input.email));
  const now = context.now();
  if ((await countSignUps(sql, input.email, new Date(now.getTime() - HOUR_MS))) >= MOST_AN_HOUR) return;
  const { token, hash } = makeToken('password_link', context.randomBytes);
  const expiresAt = new Date(now.getTime() + HOURS * HOUR_MS);
  await insertSignUp(sql, { ...input, token_hash: hash, created_at: now, expires_at: expiresAt });
  const link = `${config.publicUrl ?? `http://localhost:${config.port}`}/sign-up/${token}`;
  const lines = [
    `Somebody, probably you, asked for a gpumark account of the company ${input.company}.`,
    `This link sets its password and creates the account. It works once, within ${HOURS} hours:`,
    link,
    'If you did not expect this mail, ignore it: nothing is created until the link is used.',
  ];
  await send({ to: input.email, subject: 'Create your gpumark account', text: `${lines.join('\n\n')}\n` });
}
