import { changePassword } from '../../accounts/passwords/change-password.ts';
import { errorSummary, field } from '../components/field.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { sessionCookie } from '../frame/cookie.ts';
import { html, named } from '../frame/html.ts';
import { form, seeOther } from '../frame/layout.ts';
import { get, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { deviceCookieHere } from '../sessions/enter.ts';
import { openSession } from '../sessions/open-session.ts';
import { settings } from './settings-frame.ts';

const member = { who: 'member' } as const;

export const accountPages: readonly PageRoute[] = [
  get('/account', member, (visit) =>
    settings(visit, '/account', 'Your account', {
      body: html`<dl class="facts">
          <dt>Name</dt>
          <dd>${named(visit.member?.name ?? '')}</dd>
          <dt>E-mail address</dt>
          <dd>${visit.member?.email}</dd>
          <dt>Company</dt>
          <dd>${named(visit.member?.company ?? '')}</dd>
          <dt>Role</dt>
          <dd>${visit.member?.role}</dd>
        </dl>
        ${form(visit, '/sign-out', html`<button>Sign out</button>`)}`,
    }),
  ),
  get('/account/password', member, (visit) => passwordPage(visit, noErrors)),
  post('/account/password', member, setPassword),
];

const passwordPage = (visit: Visit, errors: FormErrors): Promise<Response> =>
  settings(visit, '/account/password', 'Change your password', {
    hasErrors: errors.size > 0,
    body: html`${errorSummary(errors)}
      <p>All your sessions end; this browser goes on in a new one.</p>
      ${form(
        visit,
        '/account/password',
        html`<input
            type="hidden"
            name="username"
            autocomplete="username"
            value="${visit.member?.email}"
          />${field({ name: 'current_password', label: 'Password now', type: 'password', autocomplete: 'current-password', required: true, maxlength: 1024, error: errors.get('current_password') })}
          ${field({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password', required: true, maxlength: 1024, hint: 'At least 8 characters.', error: errors.get('new_password') })}
          <p><button class="main">Change the password</button></p>`,
        'stackform',
      )}`,
  });

async function setPassword(visit: Visit): Promise<Response> {
  const { context, form: given } = visit;
  const input = { current: given.get('current_password') ?? '', next: given.get('new_password') ?? '' };
  const tried = await attempt(() => changePassword(context, input));
  if ('errors' in tried) return passwordPage(visit, tried.errors);
  const { tokens, setCookie } = tried.done;
  const cookie = await openSession(context, tokens, visit.header('user-agent'));
  visit.setCookies.push(sessionCookie(context.config, cookie), deviceCookieHere(setCookie));
  return seeOther('/account');
}
