import type { Context } from '../platform/context.ts';
import type { Queryable } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { checkPassword } from './check-password.ts';
import { openSignIn, type SignedIn } from './open-sign-in.ts';
import { replaceHash } from './passwords/queries.ts';
import type { UserRow } from './queries.ts';
import { withCode } from './second-factor/use-code.ts';
import { forgiveLogin, takeBackLogin } from './throttle/throttle-login.ts';
import type { LoginData } from '../contract/user.ts';

interface Credentials {
  email: string;
  password: string;
  /** Of the second factor; ignored if the account has none. */
  code?: string | undefined;
  /** The `Cookie` header. */
  cookie?: string | undefined;
}

/** State of a sign-in after the right password. */
type SignInStep =
  | ({ kind: 'signed_in' } & SignedIn)
  | { kind: 'code_owed'; user: UserRow }
  | { kind: 'enrolment_owed'; user: UserRow };

/**
 * An unknown address, a wrong password and a disabled user take the same time, count the same and get the same answer; a second
 * factor is not mentioned until the password was right. Throws `unauthenticated` for a wrong password or code, `rate_limited` in
 * the pause after failures, `unavailable` if too many sign-ins are waiting.
 */
export async function beginSignIn(context: Context, { code, ...input }: Credentials): Promise<SignInStep> {
  const refusal = new DomainError('unauthenticated', 'The e-mail address or the password is wrong.');
  const { user, visitor, counted, renewedHash } = await checkPassword(context, { ...input, refusal });
  const owed = user.has_second_factor ? code === undefined : user.requires_second_factor;
  if (owed) {
    await takeBackLogin(context, counted);
    return { kind: user.has_second_factor ? 'code_owed' : 'enrolment_owed', user };
  }
  const open = async (tx: Queryable) => {
    if (renewedHash !== null) await replaceHash(tx, user, renewedHash);
    return openSignIn(context, tx, user);
  };
  const opened = await (user.has_second_factor && code !== undefined
    ? withCode(context, { user, code, visitor, counted, refusal: wrongCode() }, open)
    : context.sql.begin(async (tx) => {
        await forgiveLogin(context, tx, { visitor, counted, userId: user.id });
        return open(tx);
      }));
  return { kind: 'signed_in', ...(await opened(visitor)) };
}

const wrongCode = (): DomainError =>
  new DomainError(
    'unauthenticated',
    'The code is wrong, expired or used. Send a new code: the six digits that the authenticator app shows now, or a recovery code.',
  );

/**
 * E-mail, password and, if the account has a second factor, a code -> the tokens of a new session, and the cookie that identifies
 * the device next time. Throws what `beginSignIn` does, and if the password was right and no code came with it, `unauthenticated`
 * or `forbidden` with what to do about it.
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
