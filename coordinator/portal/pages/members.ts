import { z } from 'zod';
import { addMember } from '../../accounts/members/add-member.ts';
import { listMembers } from '../../accounts/members/list-users.ts';
import { readFactorState } from '../../accounts/second-factor/person-of.ts';
import { requireFactor } from '../../accounts/second-factor/change-factor.ts';
import { loginRequest, role } from '../../contract/user.ts';
import { name } from '../../contract/names.ts';
import { dataTable } from '../components/data-table.ts';
import { errorSummary, field, select } from '../components/field.ts';
import { note } from '../components/note.ts';
import { secret } from '../components/copyable.ts';
import { pageAsked, pageOfAll } from '../frame/asked.ts';
import { attempt, issuesOf, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { form } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { confirmPassword, isFresh } from '../sessions/confirm-password.ts';
import { passwordForm } from '../sessions/password-first.ts';
import { accountColumns } from './account-columns.ts';
import { accessChanges, changePerson } from './change-person.ts';
import { settings } from './settings-frame.ts';

const HERE = '/company/members';
type Member = Awaited<ReturnType<typeof listMembers>>[number];

const members = tableOf<Member>([
  {
    name: 'email',
    label: 'Person',
    value: (row) => row.email,
    cell: (row) => html`${row.email}<small>${named(`${row.first_name} ${row.last_name}`)}</small>`,
  },
  { name: 'role', label: 'Role', value: (row) => row.role },
  ...accountColumns,
  {
    name: 'has_second_factor',
    label: 'Second factor',
    value: (row) => (row.has_second_factor ? 'yes' : 'no'),
  },
]);

const admin = { who: 'admin' } as const;

export const memberPages: readonly PageRoute[] = [
  ...list(HERE, admin, { table: members, load, loadAll, show: (visit, listing) => show(visit, listing, noErrors) }),
  post(HERE, admin, add),
  post(`${HERE}/change`, admin, change),
  post(`${HERE}/second-factor`, admin, setRule),
];

async function load({ context, query }: Visit): Promise<Listing<Member>> {
  return pageOfAll(await listMembers(context), pageAsked(query));
}

async function loadAll({ context }: Visit): Promise<Listing<Member>> {
  return wholeListing(await listMembers(context));
}

const roleChoice = {
  name: 'role',
  label: 'Role',
  options: ['user', 'customer_admin'].map((value) => ({ value, label: value })),
};

async function show(
  visit: Visit,
  listing: Listing<Member>,
  errors: FormErrors,
  before: Content = null,
): Promise<Response> {
  return settings(visit, HERE, 'Members', {
    hasErrors: errors.size > 0,
    body: html`${before}${errorSummary(errors)}${dataTable({ ...visit, path: HERE }, { caption: `People of ${visit.member?.company ?? ''}`, table: members, listing, filesHaveAll: true, ifEmpty: null })}
    ${
      isFresh(visit)
        ? html`${forms(visit, listing, errors)}${await ruleForm(visit)}`
        : html`<h2>Add or change a person</h2>
            ${passwordForm(visit, HERE, errors.get('current_password'))}`
    }`,
  });
}

function forms(visit: Visit, listing: Listing<Member>, errors: FormErrors): Content {
  const value = (name: string) => ({ name, value: visit.form.get(name), error: errors.get(name) });
  return html`<h2>Add a person</h2>
    ${form(
      visit,
      HERE,
      html`${field({ ...value('email'), label: 'E-mail address', type: 'email', required: true, maxlength: 254 })}${field({ ...value('first_name'), label: 'First name', required: true, maxlength: 60 })}${field({ ...value('last_name'), label: 'Last name', required: true, maxlength: 60 })}${select(roleChoice)}
        <p><button class="main">Add the person</button></p>`,
      'stackform',
    )}
    <h2>Change a person</h2>
    ${form(
      visit,
      `${HERE}/change`,
      html`${select({ name: 'person', label: listing.rows.length < (listing.total ?? 0) ? 'Person of this page' : 'Person', options: listing.rows.map(({ email }) => ({ value: email, label: email })) })}${select({ name: 'what', label: 'What is to happen', options: changes })}
        <p><button>Change the person</button></p>`,
      'stackform',
    )}`;
}

const changes = [
  { value: 'user', label: 'make a user' },
  { value: 'customer_admin', label: 'make an administrator' },
  ...accessChanges,
];

async function ruleForm(visit: Visit): Promise<Content> {
  const { isRequired } = await readFactorState(visit.context);
  return html`<h2>Second factor</h2>
    <p>
      Once it is required, members without one set it up after the password, before anything else, and sessions without
      one end. API keys and applications go on.
    </p>
    ${form(
      visit,
      `${HERE}/second-factor`,
      html`${select({ name: 'require_second_factor', label: 'Who has to have one', value: isRequired ? 'yes' : 'no', options: rules })}
        <p><button>Save</button></p>`,
      'stackform',
    )}`;
}

const rules = [
  { value: 'no', label: 'nobody has to' },
  { value: 'yes', label: 'everybody of the company' },
];

const newMember = z.object({
  email: loginRequest.shape.email,
  first_name: name(60),
  last_name: name(60),
  role,
});

async function add(visit: Visit): Promise<Response> {
  const input = newMember.safeParse(Object.fromEntries(visit.form));
  if (!input.success) return show(visit, await load(visit), issuesOf(input.error));
  const { email, first_name: firstName, last_name: lastName } = input.data;
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return addMember(visit.context, { email, firstName, lastName, role: input.data.role, company: null });
  });
  if ('errors' in tried) return show(visit, await load(visit), tried.errors);
  const { link, mailed } = tried.done;
  const told = mailed
    ? note('ok', 'Added.', `A link that sets the password is on its way to ${email}. It is good for 7 days.`, 'status')
    : secret('Password link', link, `No mail is set up: hand it to ${email}. It works once, within 7 days.`);
  return show({ ...visit, form: new URLSearchParams() }, await load(visit), noErrors, told);
}

async function change(visit: Visit): Promise<Response> {
  const email = visit.form.get('person') ?? '';
  const tried = await attempt(() => changePerson(visit, email, visit.form.get('what') ?? ''));
  const told = 'errors' in tried ? null : note('ok', 'Done.', `${email} was changed.`, 'status');
  return show(
    { ...visit, form: new URLSearchParams() },
    await load(visit),
    'errors' in tried ? tried.errors : noErrors,
    told,
  );
}

async function setRule(visit: Visit): Promise<Response> {
  const isRequired = visit.form.get('require_second_factor') === 'yes';
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    await requireFactor(visit.context, isRequired);
  });
  if ('errors' in tried) return show(visit, await load(visit), tried.errors);
  const now = isRequired ? 'Everybody of the company has to have a second factor.' : 'Nobody has to have one.';
  return show(visit, await load(visit), noErrors, note('ok', 'Done.', now, 'status'));
}
