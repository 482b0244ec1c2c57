import { changePassword } from '../../accounts/passwords/change-password.ts';
import { dataTable } from '../components/data-table.ts';
import { errorSummary, field } from '../components/field.ts';
import { time } from '../components/time.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { sessionCookie } from '../frame/cookie.ts';
import { html, named } from '../frame/html.ts';
import { form, seeOther } from '../frame/layout.ts';
import { tableOf, wholeListing } from '../frame/listing.ts';
import { get, list, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { selectSessions, type ListedSession } from '../queries/sessions.ts';
import { deviceCookieHere } from '../sessions/device-cookie-here.ts';
import { openSession } from '../sessions/open-session.ts';
import { SESSION_MS } from '../sessions/session-times.ts';
import { settings } from './settings-frame.ts';

const member = { who: 'member' } as const;
/** More than one person looks through. */
const MOST_SESSIONS = 300;

const sessions = tableOf<ListedSession>([
  { name: 'session_id', label: 'Session', value: (row) => row.login_session_id, isHidden: true },
  {
    name: 'browser',
    label: 'Signed in with',
    value: (row) => row.browser,
    cell: (row) =>
      html`${row.browser === null ? 'A program, by the API' : named(row.browser)}${row.is_here ? html`<small>this session</small>` : null}`,
  },
  { name: 'address', label: 'Address', value: (row) => row.address },
  {
    name: 'created_at',
    label: 'Signed in',
    value: (row) => row.created_at.toISOString(),
    cell: (row) => time(row.created_at),
  },
  { name: 'seen_at', label: 'Last used', value: (row) => row.seen_at.toISOString(), cell: (row) => time(row.seen_at) },
]);

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
  ...list('/account/sessions', member, {
    table: sessions,
    load: async ({ context, member: who }) => {
      const now = context.now();
      const seenAfter = new Date(now.getTime() - SESSION_MS.idle);
      const asked = {
        userId: who?.userId ?? '0',
        here: who?.loginSessionId ?? '0',
        now,
        seenAfter,
        limit: MOST_SESSIONS,
      };
      return wholeListing(await selectSessions(context.sql, asked));
    },
    show: (visit, listing) =>
      settings(visit, '/account/sessions', 'Your sessions', {
        body: html`${dataTable(visit, { caption: 'Where you are signed in', table: sessions, listing, ifEmpty: null })}
          <p>A browser is signed out after 12 hours without use, and after 7 days in any case.</p>
          ${form(visit, '/sign-out', html`<input type="hidden" name="everywhere" value="yes" /><button class="risk">Sign out everywhere</button>`)}`,
      }),
  }),
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
  const answer = seeOther('/account');
  const cookie = await openSession(context, tokens, visit.header('user-agent'));
  answer.headers.append('Set-Cookie', sessionCookie(context.config, cookie));
  answer.headers.append('Set-Cookie', deviceCookieHere(setCookie));
  return answer;
}
