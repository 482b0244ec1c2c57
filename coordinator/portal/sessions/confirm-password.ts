import { checkPassword } from '../../accounts/check-password.ts';
import { DomainError, invalidField } from '../../platform/errors.ts';
import { field } from '../components/field.ts';
import { sessionCookie } from '../frame/cookie.ts';
import { csrfOf } from '../frame/csrf.ts';
import type { Content } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { renewPortalSession } from '../queries/sessions.ts';
import { hashOfSession, newSessionToken, FRESH_MS } from './session-token.ts';

/** Whether the password was given in the last ten minutes. */
export const isFresh = ({ context, member }: Visit): boolean =>
  member !== null && context.now().getTime() - member.passwordAt.getTime() <= FRESH_MS;

/** Asks for the password unless it was given in the last ten minutes; the form's handler calls `confirmPassword`. */
export const passwordAgain = (visit: Visit, error?: string): Content =>
  isFresh(visit)
    ? null
    : field({
        name: 'current_password',
        label: 'Your password, once more',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        maxlength: 1024,
        error,
      });

/**
 * Throws a validation error for `current_password`, which counts as a failed sign-in, so a borrowed browser does not
 * help to guess it. The right password gives the session a new token, so that a copy of the old cookie gives no access
 * to what follows; the visit's member is changed in place, since every form in the response carries the new CSRF token.
 */
export async function confirmPassword(visit: Visit): Promise<void> {
  const { context, member, form, cookie } = visit;
  if (member === null || isFresh(visit)) return;
  const refusal = invalidField('current_password', 'is wrong');
  const password = form.get('current_password') ?? '';
  await checkPassword(context, { email: member.email, password, cookie, refusal });
  const token = newSessionToken(context);
  const renewed = { tokenHash: hashOfSession(token), passwordAt: context.now() };
  if (!(await renewPortalSession(context.sql, member.tokenHash, renewed)))
    throw new DomainError(
      'conflict',
      'Your session was renewed by another form at the same time. Open the page again.',
    );
  Object.assign(member, { ...renewed, csrf: csrfOf(token) });
  visit.setCookies.push(sessionCookie(context.config, token));
}
