import type { Context } from '../../platform/context.ts';
import { invalidField } from '../../platform/errors.ts';
import { openSignIn, type SignedIn } from '../open-sign-in.ts';
import { readTicket } from './sign-in-ticket.ts';
import { tryCode } from './use-code.ts';

interface Input {
  /** shows that the password was right */
  ticket: string;
  code: string;
  /** The `Cookie` header. */
  cookie: string | undefined;
}

/**
 * Finishes a sign-in with the code owed after the password. Throws `unauthenticated` for a ticket that no longer works, a
 * validation error of `code` for a wrong one, `rate_limited` in the pause after failures.
 */
export async function finishSignIn(context: Context, { ticket, code, cookie }: Input): Promise<SignedIn> {
  const user = await readTicket(context, ticket);
  const opened = await tryCode(context, { user, code, cookie, refusal: wrongCode() }, async (tx, visitor) => ({
    finish: await openSignIn(context, tx, user),
    visitor,
  }));
  return opened.finish(opened.visitor);
}

export const wrongCode = () =>
  invalidField('code', 'is wrong, expired or used; give the one that the app shows now, or a recovery code');
