import { z } from 'zod';
import { addMember } from '../../accounts/members/add-member.ts';
import { customerNamed, listCustomers } from '../../accounts/standing/customer-actor.ts';
import { listTiers } from '../../accounts/standing/change-terms.ts';
import { addSubscription } from '../../accounts/standing/subscriptions.ts';
import { name } from '../../contract/names.ts';
import { companyName, loginRequest, tier } from '../../contract/user.ts';
import { secret } from '../components/copyable.ts';
import { dataTable } from '../components/data-table.ts';
import { errorSummary, field, select } from '../components/field.ts';
import { empty, note } from '../components/note.ts';
import { time } from '../components/time.ts';
import { pageAsked, pageOfAll } from '../frame/asked.ts';
import { attempt, issuesOf, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { form } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, post, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { confirmPassword, isFresh } from '../sessions/confirm-password.ts';
import { passwordForm } from '../sessions/password-first.ts';
import { number } from './number-column.ts';
import { settings } from './settings-frame.ts';

const HERE = '/customers';
const TIERS = `${HERE}/tiers`;
const staff = { who: 'staff' } as const;

type Row = Awaited<ReturnType<typeof listCustomers>>['customers'][number];
type TierRow = Awaited<ReturnType<typeof listTiers>>[number];

const customers = tableOf<Row>([
  {
    name: 'company',
    label: 'Company',
    value: (row) => row.name,
    cell: (row) => html`<a href="/customers/users?company=${encodeURIComponent(row.name)}">${named(row.name)}</a>`,
  },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
  { name: 'tier', label: 'Tier', value: (row) => row.tier, cell: (row) => row.tier ?? 'none' },
  {
    name: 'until',
    label: 'Until',
    value: (row) => row.ends_at?.toISOString() ?? null,
    cell: (row) => (row.ends_at ? time(row.ends_at) : row.tier === null ? '–' : 'open'),
  },
  { name: 'users', label: 'Users', value: (row) => row.users, isNumber: true },
  {
    name: 'created_at',
    label: 'Since',
    value: (row) => row.created_at.toISOString(),
    cell: (row) => time(row.created_at),
  },
]);

const tiers = tableOf<TierRow>([
  { name: 'tier', label: 'Tier', value: (row) => row.tier },
  {
    name: 'products',
    label: 'Products',
    value: (row) => row.products.join('; '),
    cell: (row) => (row.products.length === 0 ? 'none' : row.products.join(', ')),
  },
  number('requests_per_minute', 'Requests a minute', (row) => row.requests_per_minute),
  number('burst', 'At once', (row) => row.burst),
  number('applications', 'Applications', (row) => row.applications),
  number('api_keys', 'API key names', (row) => row.api_keys),
  number('history_days', 'Price history, days', (row) => row.history_days),
]);

export const customerPages: readonly PageRoute[] = [
  ...list(TIERS, staff, {
    table: tiers,
    load: async ({ context }) => wholeListing(await listTiers(context)),
    show: (visit, listing) =>
      settings(visit, TIERS, 'Tiers', {
        body: html`${dataTable(visit, { caption: 'What each tier includes', table: tiers, listing, ifEmpty: null })}
          <p class="muted">
            <code>coordinator/main.ts tier set</code> changes a tier for all its customers,
            <code>customer set</code> one customer.
          </p>`,
      }),
  }),
  ...list(HERE, staff, {
    table: customers,
    load: async ({ context, query }) => pageOfAll((await listCustomers(context)).customers, pageAsked(query)),
    loadAll: async ({ context }) => wholeListing((await listCustomers(context)).customers),
    show: (visit, listing) => show(visit, listing, noErrors),
  }),
  post(HERE, staff, add),
  post(`${HERE}/tier`, staff, change),
];

const load = async ({ context, query }: Visit): Promise<Listing<Row>> =>
  pageOfAll((await listCustomers(context)).customers, pageAsked(query));

const tierChoice = { name: 'tier', label: 'Tier', options: tier.options.map((value) => ({ value, label: value })) };

function show(visit: Visit, listing: Listing<Row>, errors: FormErrors, told: Content = null): Promise<Response> {
  return settings(visit, HERE, 'Customers', {
    hasErrors: errors.size > 0,
    body: html`${told}${errorSummary(errors)}${dataTable(
      { ...visit, path: HERE },
      {
        caption: 'All companies',
        table: customers,
        listing,
        filesHaveAll: true,
        ifEmpty: empty('There is no company yet.', 'Add one below.'),
      },
    )}
    ${
      isFresh(visit)
        ? forms(visit, errors)
        : html`<h2>Add or change a customer</h2>
            ${passwordForm(visit, HERE, errors.get('current_password'))}`
    }`,
  });
}

function forms(visit: Visit, errors: FormErrors): Content {
  const value = (key: string) => ({ name: key, value: visit.form.get(key), error: errors.get(key), required: true });
  return html`<h2>Add a customer</h2>
    ${form(
      visit,
      HERE,
      html`${field({ ...value('company'), label: 'Company', maxlength: 120 })}${select({ ...tierChoice, value: visit.form.get('tier') })}${field({ ...value('email'), label: 'E-mail address of its first user', type: 'email', maxlength: 254, hint: 'An administrator of the company, who adds its other users.' })}${field({ ...value('first_name'), label: 'First name', maxlength: 60 })}${field({ ...value('last_name'), label: 'Last name', maxlength: 60 })}
        <p><button class="main">Add customer</button></p>`,
      'stackform',
    )}
    <h2>Change a tier</h2>
    ${form(
      visit,
      `${HERE}/tier`,
      html`${field({ name: 'of', label: 'Company', required: true, maxlength: 120, value: visit.form.get('of'), error: errors.get('of'), hint: 'Its name as in the table.' })}${select({ ...tierChoice, name: 'to', label: 'New tier', value: visit.form.get('to') })}
        <p><button>Change tier</button></p>`,
      'stackform',
    )}`;
}

const newCustomer = z.object({
  company: companyName,
  tier,
  email: loginRequest.shape.email,
  first_name: name(60),
  last_name: name(60),
});

async function add(visit: Visit): Promise<Response> {
  const input = newCustomer.safeParse(Object.fromEntries(visit.form));
  if (!input.success) return show(visit, await load(visit), issuesOf(input.error));
  const { company, email, tier: newWithTier, first_name: firstName, last_name: lastName } = input.data;
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return addMember(visit.context, { email, firstName, lastName, role: 'customer_admin', company, newWithTier });
  });
  if ('errors' in tried) return show(visit, await load(visit), tried.errors);
  const { link, mailed } = tried.done;
  const told = mailed
    ? note('ok', 'Added.', `A link that sets the password is on its way to ${email}. It is good for 7 days.`, 'status')
    : secret('Password link', link, `This service sends no mail: hand it to ${email}. It works once, within 7 days.`);
  return show({ ...visit, form: new URLSearchParams() }, await load(visit), noErrors, told);
}

const newTier = z.object({ of: companyName, to: tier });

async function change(visit: Visit): Promise<Response> {
  const input = newTier.safeParse(Object.fromEntries(visit.form));
  if (!input.success) return show(visit, await load(visit), issuesOf(input.error));
  const { of, to } = input.data;
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    await addSubscription(visit.context, await customerNamed(visit.context, of), { tier: to });
  });
  if ('errors' in tried) return show(visit, await load(visit), tried.errors);
  const told = note('ok', 'Changed.', html`${named(of)} has the tier ${to} from now on.`, 'status');
  return show({ ...visit, form: new URLSearchParams() }, await load(visit), noErrors, told);
}
