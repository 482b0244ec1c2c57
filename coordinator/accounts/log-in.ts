import type { LoginData } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { beginSignIn, type Credentials } from './begin-sign-in.ts';

/**
 * E-mail, password and, of an account that has a second factor, a code -> the tokens of a new session, and the cookie by which
 * the device is known next time. Throws what `beginSignIn` does, and if the password was right and no code came with it,
 * `unauthenticated` or `forbidden` with what to do about it.
 */
export async function logIn(context: Context, input: Credentials): Promise<{ tokens: LoginData; setCookie: string }> {
  const step = await beginSignIn(context, input);
  if (step.kind === 'signed_in') return step;
  throw step.kind === 'code_owed'
    ? new DomainError(
        'unauthenticated',
        'This account has a second factor. Send code as well: the six digits of the authenticator app, or a recovery code.',
      )
    : new DomainError(
        'forbidden',
        'Your company requires a second factor. Sign in to the portal in a browser to set one up, then send its code.',
      );
}
