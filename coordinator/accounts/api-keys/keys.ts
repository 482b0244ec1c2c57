import type { Context } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { makeToken } from '../programs/opaque-token.ts';
import { countRevocation } from '../revocation/queries.ts';
import type { Customer } from '../standing/customer-actor.ts';
import { noKeyName } from './key-names.ts';
import {
  deleteKeyRow,
  insertKey,
  lockKeyName,
  selectKeyNames,
  selectKeys,
  selectKeysOfName,
  type KeyNameRow,
  type KeyRow,
} from './queries.ts';

const DAY_MS = 86_400_000;
/** One year, as the interface specifies. */
const VALID_DAYS = 365;
/** The key in use and its replacement. */
const MOST_LIVE = 2;

interface MadeKey {
  id: string;
  /** shown this once */
  key: string;
  expiresAt: Date;
}

/** Creates a key under a name. Throws `not_found`, `forbidden` for a tier without API keys, `state` if it has two live keys. */
export async function createKey(context: Context, { customerId, standing }: Customer, name: string): Promise<MadeKey> {
  if (standing.terms.api_keys === 0)
    throw new DomainError('forbidden', `The tier ${standing.tier} does not include API keys; Plus and above do.`);
  return context.sql.begin(async (tx) => {
    const row = await lockKeyName(tx, { customerId, name });
    if (!row) throw noKeyName(name);
    const now = context.now();
    const live = (await selectKeysOfName(tx, row.id)).filter(({ expires_at }) => expires_at > now);
    if (live.length >= MOST_LIVE) {
      const ids = live.map(({ id }) => id).join(' and ');
      throw new DomainError('state', `The name ${row.name} already has two live keys, ${ids}. Delete one first.`);
    }
    const made = makeToken('api_key', context.randomBytes);
    const key = {
      id: context.newId(),
      name_id: row.id,
      key_prefix: made.shown,
      created_at: now,
      expires_at: new Date(now.getTime() + VALID_DAYS * DAY_MS),
    };
    await insertKey(tx, { ...key, key_hash: made.hash });
    const detail = { id: key.id, key_prefix: made.shown };
    await recordEvent(context, tx, { action: 'api_key_created', customerId, subject: row.name, detail });
    return { id: key.id, key: made.token, expiresAt: key.expires_at };
  });
}

/** The key stops working within half a second. Throws `not_found`. */
export async function deleteKey(context: Context, { customerId }: Customer, id: string): Promise<void> {
  await context.sql.begin(async (tx) => {
    const gone = await deleteKeyRow(tx, { id, customerId });
    if (!gone) throw notFound('The key');
    const detail = { id, key_prefix: gone.key_prefix };
    await recordEvent(context, tx, { action: 'api_key_deleted', customerId, subject: gone.name, detail });
    await countRevocation(tx);
  });
}

/** All names of a company, each with its keys, newest first. */
export async function listKeys(
  { sql }: Context,
  { customerId }: Customer,
): Promise<(KeyNameRow & { keys: KeyRow[] })[]> {
  const [names, keys] = await Promise.all([selectKeyNames(sql, customerId), selectKeys(sql, customerId)]);
  return names.map((name) => ({ ...name, keys: keys.filter(({ name_id }) => name_id === name.id) }));
}
