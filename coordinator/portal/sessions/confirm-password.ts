import { checkPassword } from '../../accounts/check-password.ts';
import { invalidField } from '../../platform/errors.ts';
import { field } from '../components/field.ts';
import type { Content } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { confirmPortalSession } from '../queries/sessions.ts';
import { FRESH_MS } from './session-times.ts';

const isFresh = ({ context, member }: Visit): boolean =>
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

/** Throws a validation error of `current_password`, which counts like a failed sign-in: a borrowed browser is no way to guess it. */
export async function confirmPassword(visit: Visit): Promise<void> {
  const { context, member, form, cookie } = visit;
  if (member === null || isFresh(visit)) return;
  const refusal = invalidField('current_password', 'is wrong');
  const password = form.get('current_password') ?? '';
  await checkPassword(context, { email: member.email, password, cookie, refusal });
  await confirmPortalSession(context.sql, member.tokenHash, context.now());
}
