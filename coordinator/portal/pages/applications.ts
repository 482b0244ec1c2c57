import { createApplication } from '../../accounts/applications/create-application.ts';
import { deleteApplication, takeOverApplication } from '../../accounts/applications/change-application.ts';
import { generateToken } from '../../accounts/applications/generate-token.ts';
import { listApplications } from '../../accounts/applications/list-applications.ts';
import { revokeToken } from '../../accounts/applications/revoke-token.ts';
import { customerActor } from '../../accounts/standing/customer-actor.ts';
import { createApplicationRequest, generateTokenRequest, type Application } from '../../contract/application.ts';
import { dataTable } from '../components/data-table.ts';
import { empty, note } from '../components/note.ts';
import { errorSummary, field } from '../components/field.ts';
import { apiLine, secret } from '../components/copyable.ts';
import { time } from '../components/time.ts';
import { attempt, issuesOf, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { form } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { list, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { confirmPassword, isFresh } from '../sessions/confirm-password.ts';
import { passwordForm } from '../sessions/password-first.ts';
import { settings } from './settings-frame.ts';

const HERE = '/company/applications';
const PER_PAGE = 50;

const isValid = (token: Application['tokens'][number], now: Date): boolean =>
  token.revoked_at === null && new Date(token.expires_at) > now;

const applications = tableOf<Application>([
  {
    name: 'name',
    label: 'Name',
    value: (row) => row.name,
    cell: (row) => html`${named(row.name)}<small>${named(row.description ?? '')}</small>`,
  },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
  {
    name: 'client_id',
    label: 'client_id',
    value: (row) => row.client_id,
    cell: (row) => html`<code>${row.client_id}</code>`,
  },
  { name: 'created_at', label: 'Made', value: (row) => row.created_at, cell: (row) => time(row.created_at) },
  { name: 'owner', label: 'Owner', value: (row) => row.owner },
  { name: 'tokens', label: 'Tokens', value: (row) => row.tokens.length, isNumber: true },
]);

const member = { who: 'member', subscription: true, holds: 'The list of applications' } as const;
const admin = { ...member, who: 'admin' } as const;

export const applicationPages: readonly PageRoute[] = [
  ...list(HERE, member, { table: applications, load, show: (visit, listing) => show(visit, listing, noErrors) }),
  post(HERE, member, create),
  post(`${HERE}/token`, member, token),
  post(`${HERE}/revoke`, member, revoke),
  post(`${HERE}/delete`, member, remove),
  post(`${HERE}/take-over`, admin, takeOver),
];

async function load({ context, query }: Visit): Promise<Listing<Application>> {
  const page = Math.max(1, Math.min(10_000, Math.trunc(Number(query.get('page') ?? '1')) || 1));
  const paginate = { num_per_page: PER_PAGE, page_num: page };
  const { total, results } = await listApplications(context, { filter: [], order_by: [], paginate });
  return { rows: results, total, page, perPage: PER_PAGE };
}

function show(
  visit: Visit,
  listing: Listing<Application>,
  errors: FormErrors,
  before: Content = null,
): Promise<Response> {
  const { terms } = customerActor(visit.context.actor).standing;
  return settings(visit, HERE, 'Applications', {
    hasErrors: errors.size > 0,
    facts: `${listing.total ?? 0} of ${terms.applications}; ${terms.tokens_per_application} valid tokens in each, good for ${terms.token_days} days`,
    body: html`${before}${errorSummary(errors)}${dataTable({ ...visit, path: HERE }, { caption: 'Applications', table: applications, listing, ifEmpty: noApplications(visit) })}
    ${
      isFresh(visit)
        ? forms(visit, listing, errors)
        : html`<h2>Make, revoke or delete</h2>
            ${passwordForm(visit, HERE, errors.get('current_password'))}`
    }`,
  });
}

const noApplications = (visit: Visit): Content =>
  empty(
    'There is no application yet.',
    'Make one below, then a token of it, which opens the API to a program of yours, as here:',
    apiLine(visit, 'YOUR_TOKEN'),
  );

function forms(visit: Visit, listing: Listing<Application>, errors: FormErrors): Content {
  const value = (name: string) => ({ name, value: visit.form.get(name), error: errors.get(name) });
  return html`${listing.rows.map((row) => tokens(visit, row))}
    <h2>New application</h2>
    ${form(
      visit,
      HERE,
      html`${field({ ...value('name'), label: 'Name', required: true, maxlength: 60 })}${field({ ...value('description'), label: 'What it is for', required: true, maxlength: 512 })}
        <p><button class="main">Create the application</button></p>`,
      'stackform',
    )}
    ${
      listing.rows.length === 0
        ? null
        : html`<h2>New token</h2>
            ${form(
              visit,
              `${HERE}/token`,
              html`${field({ ...value('client_id'), label: 'client_id', required: true, maxlength: 100 })}${field({ name: 'client_secret', label: 'client_secret', type: 'password', autocomplete: 'off', required: true, maxlength: 200, error: errors.get('client_secret') })}
                <p><button>Generate a token</button></p>`,
              'stackform',
            )}`
    }`;
}

const tokens = (visit: Visit, { id, name, owner, tokens: all }: Application): Content => {
  const { member, context } = visit;
  const isOwn = owner !== null && owner === member?.email;
  const isAdmin = member?.role !== 'user';
  if (!isOwn && !isAdmin) return null;
  const valid = all.filter((one) => isValid(one, context.now()));
  return html`<h3>${named(name)}</h3>
    <div class="acts">
      ${isOwn ? null : form(visit, `${HERE}/take-over`, html`${idField(id)}<button>Take over ${named(name)}</button> <span class="small muted">its tokens end when ${owner === null ? 'its owner' : owner} is disabled</span>`)}
      ${valid.map((one) => form(visit, `${HERE}/revoke`, html`${idField(one.id)}<button class="risk">Revoke ${one.token_prefix}…</button> <span class="small muted">valid until ${time(one.expires_at)}</span>`))}
      ${valid.length > 0 ? null : form(visit, `${HERE}/delete`, html`${idField(id)}<button class="risk">Delete ${named(name)}</button>`)}
    </div>`;
};

const idField = (id: string): Content => html`<input type="hidden" name="id" value="${id}" />`;

async function create(visit: Visit): Promise<Response> {
  const input = createApplicationRequest.safeParse(Object.fromEntries(visit.form));
  if (!input.success) return show(visit, await load(visit), issuesOf(input.error));
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return createApplication(visit.context, input.data);
  });
  if ('errors' in tried) return show(visit, await load(visit), tried.errors);
  const { client_id, client_secret } = tried.done;
  return fresh(visit, noErrors, secret('client_secret', client_secret, html`It goes with <code>${client_id}</code>.`));
}

async function token(visit: Visit): Promise<Response> {
  const input = generateTokenRequest.safeParse(Object.fromEntries(visit.form));
  if (!input.success) return show(visit, await load(visit), issuesOf(input.error));
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return generateToken(visit.context, input.data);
  });
  if ('errors' in tried) return show(visit, await load(visit), tried.errors);
  return fresh(
    visit,
    noErrors,
    secret('Application token', tried.done.app_token, html`Valid until ${time(tried.done.expires_at)}.`),
  );
}

const idIn = ({ form: given }: Visit): string => (/^\d{1,18}$|^[1-8]\d{18}$/.exec(given.get('id') ?? '') ?? ['0'])[0];

async function revoke(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return revokeToken(visit.context, idIn(visit));
  });
  return fresh(
    visit,
    'errors' in tried ? tried.errors : noErrors,
    note('ok', 'Revoked.', 'The token opens nothing from now on.', 'status'),
  );
}

async function remove(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return deleteApplication(visit.context, { id: idIn(visit) });
  });
  return fresh(visit, 'errors' in tried ? tried.errors : noErrors, note('ok', 'Deleted.', null, 'status'));
}

async function takeOver(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return takeOverApplication(visit.context, { id: idIn(visit) });
  });
  return fresh(
    visit,
    'errors' in tried ? tried.errors : noErrors,
    note('ok', 'Taken over.', 'You own the application; its tokens go on.', 'status'),
  );
}

const fresh = async (visit: Visit, errors: FormErrors, told: Content): Promise<Response> =>
  show({ ...visit, form: new URLSearchParams() }, await load(visit), errors, errors.size > 0 ? null : told);
