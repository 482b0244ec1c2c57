import { errorSummary } from '../components/field.ts';
import { type FormErrors, attempt } from '../frame/attempt.ts';
import { html, type Content } from '../frame/html.ts';
import { form, page, pathOf, seeOther } from '../frame/layout.ts';
import type { Visit } from '../frame/visit.ts';
import { passwordAgain, confirmPassword } from './confirm-password.ts';
import { post, type PageRoute } from '../frame/route.ts';

/** Target of the password form shown before a page, or before a part of one. */
const CONFIRM = '/account/confirm';

/**
 * Shown instead of content that requires a password given in the last ten minutes; the right password leads to `next`.
 */
export const passwordForm = (visit: Visit, next: string, error?: string): Content =>
  form(
    visit,
    CONFIRM,
    html`<input type="hidden" name="next" value="${next}" />${passwordAgain(visit, error)}
      <p><button class="main">Confirm your password</button></p>`,
    'stackform',
  );

/** Shown instead of a page that contains a secret. */
export const passwordPage = (visit: Visit, next: string, errors: FormErrors): Promise<Response> =>
  page(visit, {
    title: errors.size > 0 ? 'Error: Your password, once more' : 'Your password, once more',
    heading: 'Your password, once more',
    status: errors.size > 0 ? 422 : 200,
    body: html`${errorSummary(errors)}
      <p>The page shows a secret, and you gave your password more than ten minutes ago.</p>
      ${passwordForm(visit, next, errors.get('current_password'))}`,
  });

async function confirm(visit: Visit): Promise<Response> {
  const next = pathOf(visit.form.get('next'), '/account');
  const tried = await attempt(() => confirmPassword(visit));
  return 'errors' in tried ? passwordPage(visit, next, tried.errors) : seeOther(next);
}

export const confirmPages: readonly PageRoute[] = [post(CONFIRM, { who: 'member' }, confirm)];
