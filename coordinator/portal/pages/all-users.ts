import { listUsers } from '../../accounts/members/list-users.ts';
import { role } from '../../contract/user.ts';
import { dataTable } from '../components/data-table.ts';
import { errorSummary, field, select } from '../components/field.ts';
import { empty, note } from '../components/note.ts';
import { pageAsked, pageOfAll } from '../frame/asked.ts';
import { attempt, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { form } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { isFresh } from '../sessions/confirm-password.ts';
import { passwordForm } from '../sessions/password-first.ts';
import { accountColumns } from './account-columns.ts';
import { accessChanges, changePerson } from './change-person.ts';
import { settings } from './settings-frame.ts';

const HERE = '/customers/users';
const staff = { who: 'staff' } as const;

type Row = Awaited<ReturnType<typeof listUsers>>['users'][number];

const users = tableOf<Row>([
  { name: 'email', label: 'User', value: (row) => row.email },
  { name: 'company', label: 'Company', value: (row) => row.company_name, cell: (row) => named(row.company_name) },
  { name: 'role', label: 'Role', value: (row) => row.role },
  { name: 'tier', label: 'Tier', value: (row) => row.tier, cell: (row) => row.tier ?? 'none' },
  ...accountColumns,
]);

export const allUserPages: readonly PageRoute[] = [
  ...list(HERE, staff, {
    table: users,
    load,
    loadAll: async (visit) => wholeListing(await found(visit)),
    show: (visit, listing) => show(visit, listing, noErrors),
  }),
  post(`${HERE}/change`, staff, change),
];

/** All, or those of one company. */
async function found({ context, query }: Visit): Promise<Row[]> {
  const company = query.get('company') ?? '';
  const { users: all } = await listUsers(context);
  return company === '' ? all : all.filter(({ company_name }) => company_name.toLowerCase() === company.toLowerCase());
}

async function load(visit: Visit): Promise<Listing<Row>> {
  return pageOfAll(await found(visit), pageAsked(visit.query));
}

function show(visit: Visit, listing: Listing<Row>, errors: FormErrors, told: Content = null): Promise<Response> {
  const company = visit.query.get('company') ?? '';
  return settings(visit, HERE, 'Users', {
    hasErrors: errors.size > 0,
    body: html`${told}${errorSummary(errors)}
      <form class="filters" method="get" action="${HERE}" role="search" aria-label="Filter users">
        ${field({ name: 'company', label: 'Company', maxlength: 120, value: company })}
        <div class="acts"><button>Show</button> <a href="${HERE}">Show all</a></div>
      </form>
      ${dataTable({ ...visit, path: HERE }, { caption: company === '' ? 'All users, by company' : `Users of ${named(company)}`, table: users, listing, filesHaveAll: true, ifEmpty: empty('No user belongs to a company of that name.', html`<a href="${HERE}">Show all users</a>.`) })}
      <h2>Change a user</h2>
      ${isFresh(visit) ? changeForm(visit, errors) : passwordForm(visit, HERE, errors.get('current_password'))}`,
  });
}

const changes = [...accessChanges, ...role.options.map((value) => ({ value, label: `give the role ${value}` }))];

const changeForm = (visit: Visit, errors: FormErrors): Content =>
  form(
    visit,
    `${HERE}/change`,
    html`${field({ name: 'person', label: 'E-mail address', type: 'email', required: true, maxlength: 254, value: visit.form.get('person'), error: errors.get('person') })}${select({ name: 'what', label: 'Change', options: changes, value: visit.form.get('what') })}
      <p><button>Change user</button></p>`,
    'stackform',
  );

async function change(visit: Visit): Promise<Response> {
  const email = visit.form.get('person')?.trim() ?? '';
  const tried = await attempt(() => changePerson(visit, email, visit.form.get('what') ?? ''));
  if ('errors' in tried) return show(visit, await load(visit), tried.errors);
  const told = note('ok', 'Done.', html`${email} was changed.`, 'status');
  return show({ ...visit, form: new URLSearchParams() }, await load(visit), noErrors, told);
}
