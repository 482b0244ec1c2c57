import { addKeyName, deleteKeyName, keyName } from '../../accounts/api-keys/key-names.ts';
import { createKey, deleteKey, listKeys } from '../../accounts/api-keys/keys.ts';
import { customerActor } from '../../accounts/standing/customer-actor.ts';
import { dataTable } from '../components/data-table.ts';
import { apiLine, command, secret } from '../components/copyable.ts';
import { empty, note } from '../components/note.ts';
import { errorSummary, field } from '../components/field.ts';
import { time } from '../components/time.ts';
import type { Visit } from '../frame/visit.ts';
import { attempt, issuesOf, noErrors, type FormErrors } from '../frame/attempt.ts';
import { html, named, type Content } from '../frame/html.ts';
import { form } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing } from '../frame/listing.ts';
import { list, post, type PageRoute } from '../frame/route.ts';
import { confirmPassword, isFresh } from '../sessions/confirm-password.ts';
import { passwordForm } from '../sessions/password-first.ts';
import { settings } from './settings-frame.ts';

const HERE = '/company/keys';

interface KeyLine {
  name: string;
  description: string;
  id: string | null;
  prefix: string | null;
  createdAt: Date | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

const instant = (at: Date | null) => at?.toISOString() ?? null;

const keys = tableOf<KeyLine>([
  {
    name: 'name',
    label: 'Name',
    value: (row) => row.name,
    cell: (row) => html`${named(row.name)}<small>${named(row.description)}</small>`,
  },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
  {
    name: 'key_prefix',
    label: 'Key begins',
    value: (row) => row.prefix,
    cell: (row) => (row.prefix === null ? 'no key yet' : html`<code>${row.prefix}…</code>`),
  },
  {
    name: 'created_at',
    label: 'Made',
    value: (row) => instant(row.createdAt),
    cell: (row) => row.createdAt && time(row.createdAt),
  },
  {
    name: 'expires_at',
    label: 'Valid until',
    value: (row) => instant(row.expiresAt),
    cell: (row) => row.expiresAt && time(row.expiresAt),
  },
  {
    name: 'last_used_at',
    label: 'Last used',
    value: (row) => instant(row.lastUsedAt),
    cell: (row) => (row.lastUsedAt ? time(row.lastUsedAt) : 'never'),
  },
]);

const admin = { who: 'admin' } as const;

export const keyPages: readonly PageRoute[] = [
  ...list(HERE, admin, { table: keys, load, show: (visit, listing) => show(visit, listing, noErrors) }),
  post(`${HERE}/names`, admin, addName),
  post(`${HERE}/make`, admin, make),
  post(`${HERE}/delete`, admin, remove),
];

async function load({ context }: Visit): Promise<Listing<KeyLine>> {
  const names = await listKeys(context, customerActor(context.actor));
  return wholeListing(
    names.flatMap(({ name, description, keys: made }): KeyLine[] => {
      const none = { name, description, id: null, prefix: null, createdAt: null, expiresAt: null, lastUsedAt: null };
      const lines = made.map((key) => ({
        name,
        description,
        id: key.id,
        prefix: key.key_prefix,
        createdAt: key.created_at,
        expiresAt: key.expires_at,
        lastUsedAt: key.last_used_at,
      }));
      return lines.length === 0 ? [none] : lines;
    }),
  );
}

async function show(
  visit: Visit,
  listing: Listing<KeyLine>,
  errors: FormErrors,
  before: Content = null,
): Promise<Response> {
  const { tier, terms } = customerActor(visit.context.actor).standing;
  const none = terms.api_keys === 0;
  const names = [...new Set(listing.rows.map(({ name }) => name))];
  return settings(visit, HERE, 'API keys', {
    hasErrors: errors.size > 0,
    facts: `${names.length} of ${terms.api_keys} names in use; two keys under each, valid for a year`,
    body: html`${before}${errorSummary(errors)}${
      none
        ? note(
            'plain',
            'Your tier does not include API keys.',
            html`The tier ${tier} opens the API with tokens of <a href="/company/applications">applications</a>; keys
              come with Plus and above.`,
          )
        : dataTable(
            { ...visit, path: HERE },
            {
              caption: 'Keys',
              table: keys,
              listing,
              ifEmpty: empty(
                'There is no key yet.',
                'Give one a name first, then make it. It opens the data of your tier, as here:',
                apiLine(visit, 'YOUR_KEY'),
              ),
            },
          )
    }
    ${none ? null : manage(visit, names, listing, errors)}`,
  });
}

const hidden = (name: string, value: string): Content => html`<input type="hidden" name="${name}" value="${value}" />`;

const manage = (visit: Visit, names: readonly string[], listing: Listing<KeyLine>, errors: FormErrors): Content =>
  html` <h2>New name</h2>
    ${form(
      visit,
      `${HERE}/names`,
      html`${field({ name: 'name', label: 'Name', required: true, maxlength: 60, value: visit.form.get('name'), error: errors.get('name') })}${field({ name: 'description', label: 'What it is for', required: true, maxlength: 512, value: visit.form.get('description'), error: errors.get('description') })}
        <p><button>Add the name</button></p>`,
      'stackform',
    )}
    ${
      names.length === 0
        ? null
        : html`<h2>Make or delete a key</h2>
            ${isFresh(visit) ? names.map((name) => manageName(visit, name, listing)) : passwordForm(visit, HERE, errors.get('current_password'))}`
    }`;

const manageName = (visit: Visit, name: string, listing: Listing<KeyLine>): Content =>
  html`<h3>${named(name)}</h3>
    <div class="acts">
      ${form(visit, `${HERE}/make`, html`${hidden('under', name)}<button class="main">Make a key of ${named(name)}</button>`)}
      ${listing.rows.filter((row) => row.name === name && row.id !== null).map(({ id, prefix }) => form(visit, `${HERE}/delete`, html`${hidden('id', id ?? '')}<button class="risk">Delete ${prefix}…</button>`))}
      ${listing.rows.some((row) => row.name === name && row.id !== null) ? null : form(visit, `${HERE}/delete`, html`${hidden('empty_name', name)}<button>Delete the name ${named(name)}</button>`)}
    </div>`;

async function addName(visit: Visit): Promise<Response> {
  const input = keyName.safeParse(Object.fromEntries(visit.form));
  if (!input.success) return show(visit, await load(visit), issuesOf(input.error));
  const tried = await attempt(() => addKeyName(visit.context, customerActor(visit.context.actor), input.data));
  return after(
    visit,
    'errors' in tried ? tried.errors : noErrors,
    note('ok', 'Added.', 'Now make a key under the name.', 'status'),
  );
}

async function make(visit: Visit): Promise<Response> {
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return createKey(visit.context, customerActor(visit.context.actor), visit.form.get('under') ?? '');
  });
  if ('errors' in tried) return after(visit, tried.errors, null);
  const { key, expiresAt } = tried.done;
  const use = html`Valid until ${time(expiresAt)}. ${command(apiLine(visit, key), 'Call the API with the key')}`;
  return after(visit, noErrors, secret('API key', key, use));
}

async function remove(visit: Visit): Promise<Response> {
  const customer = customerActor(visit.context.actor);
  const name = visit.form.get('empty_name');
  const tried = await attempt(async () => {
    await confirmPassword(visit);
    return name === null
      ? deleteKey(visit.context, customer, idIn(visit))
      : deleteKeyName(visit.context, customer, name);
  });
  return after(
    visit,
    'errors' in tried ? tried.errors : noErrors,
    note('ok', 'Deleted.', 'It opens nothing from now on.', 'status'),
  );
}

const idIn = ({ form: given }: Visit): string => (/^\d{1,18}$|^[1-8]\d{18}$/.exec(given.get('id') ?? '') ?? ['0'])[0];

async function after(visit: Visit, errors: FormErrors, told: Content): Promise<Response> {
  const again = errors.size > 0 ? visit : { ...visit, form: new URLSearchParams() };
  return show(again, await load(visit), errors, errors.size > 0 ? null : told);
}
