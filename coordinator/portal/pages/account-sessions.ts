import { signOut } from '../../accounts/sessions/sign-out.ts';
import { dataTable } from '../components/data-table.ts';
import { errorSummary, select } from '../components/field.ts';
import { note } from '../components/note.ts';
import { time, timeText } from '../components/time.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { form } from '../frame/layout.ts';
import { pageAsked, pageOfAll } from '../frame/asked.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, post, type PageRoute } from '../frame/route.ts';
import { selectSessions, type ListedSession } from '../queries/sessions.ts';
import { confirmPassword, passwordAgain } from '../sessions/confirm-password.ts';
import { signedOut } from '../sessions/end-session.ts';
import { SESSION_MS } from '../sessions/session-token.ts';
import { settings } from './settings-frame.ts';

const HERE = '/account/sessions';
/** Form value for all sessions. */
const ALL = 'all';
/** The maximum number of sessions (accounts/sessions/begin-session.ts). */
const MOST_SESSIONS = 1000;

const nameOf = ({ browser }: ListedSession): string => (browser === null ? 'A program, by the API' : named(browser));

const sessions = tableOf<ListedSession>([
  { name: 'session_id', label: 'Session', value: (row) => row.login_session_id, isHidden: true },
  {
    name: 'browser',
    label: 'Signed in with',
    value: (row) => row.browser,
    cell: (row) => html`${nameOf(row)}${row.is_here ? html`<small>this session</small>` : null}`,
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

const member = { who: 'member' } as const;

export const accountSessionPages: readonly PageRoute[] = [
  ...list(HERE, member, { table: sessions, load, loadAll, show: (visit, listing) => show(visit, listing, noErrors) }),
  post(`${HERE}/end`, member, end),
];

async function load(visit: Visit): Promise<Listing<ListedSession>> {
  return pageOfAll(await sessionsOf(visit), pageAsked(visit.query));
}

async function loadAll(visit: Visit): Promise<Listing<ListedSession>> {
  return wholeListing(await sessionsOf(visit));
}

function sessionsOf({ context, member: who }: Visit): Promise<ListedSession[]> {
  const now = context.now();
  const seenAfter = new Date(now.getTime() - SESSION_MS.idle);
  const userId = who?.userId ?? '0';
  const here = who?.loginSessionId ?? '0';
  return selectSessions(context.sql, { userId, here, now, seenAfter, limit: MOST_SESSIONS });
}

const show = (
  visit: Visit,
  listing: Listing<ListedSession>,
  errors: FormErrors,
  before: Content = null,
): Promise<Response> =>
  settings(visit, HERE, 'Your sessions', {
    hasErrors: errors.size > 0,
    body: html`${before}${errorSummary(errors)}${dataTable({ ...visit, path: HERE }, { caption: 'Where you are signed in', table: sessions, listing, filesHaveAll: true, ifEmpty: null })}
      <p>A browser is signed out after 12 hours without use, and after 7 days in any case.</p>
      <h2>End sessions</h2>
      ${form(
        visit,
        `${HERE}/end`,
        html`${select({ name: 'session', label: listing.rows.length < (listing.total ?? 0) ? 'Which, of this page' : 'Which', value: visit.form.get('session') ?? ALL, options: choices(listing.rows) })}${passwordAgain(visit, errors.get('current_password'))}
          <p><button class="risk">Sign out there</button></p>`,
        'stackform',
      )}`,
  });

/** The current session alone is not a choice: it is ended by the button at the top of every page. */
const choices = (rows: readonly ListedSession[]): { value: string; label: string }[] => [
  { value: ALL, label: 'everywhere, here too' },
  ...rows
    .filter(({ is_here }) => !is_here)
    .map((row) => ({
      value: row.login_session_id,
      label: `${nameOf(row)}, ${row.address ?? 'address unknown'}, signed in ${timeText(row.created_at)}`,
    })),
];

async function end(visit: Visit): Promise<Response> {
  const { context, form: given } = visit;
  const which = given.get('session') ?? '';
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return signOut(context, which === ALL ? { everywhere: true } : { everywhere: false, otherSession: idOf(which) });
  });
  if ('errors' in tried) return show(visit, await load(visit), tried.errors);
  if (which === ALL) return signedOut(visit);
  const told = note('ok', 'Signed out there.', 'That session opens nothing from now on.', 'status');
  return show({ ...visit, form: new URLSearchParams() }, await load(visit), noErrors, told);
}
