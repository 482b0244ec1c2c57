import { z } from 'zod';
import { NOT_IN_TIER } from '../../contract/access.ts';
import { name } from '../../contract/names.ts';
import { text } from '../../contract/wire.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { lockCustomer } from '../standing/queries.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Customer } from '../standing/customer-actor.ts';
import { countKeyNames, deleteKeyNameRow, insertKeyName, lockKeyName, selectKeysOfName } from './queries.ts';

export const keyName = z.object({ name: name(60), description: text(512, 1) });

/** Throws `forbidden` 34004 for a tier without API keys, `state` if all its key names are used, `conflict` for a taken name. */
export async function addKeyName(
  context: Context,
  { customerId, standing }: Customer,
  { name, description }: z.output<typeof keyName>,
): Promise<{ id: string }> {
  const most = standing.terms.api_keys;
  if (most === 0) {
    throw new DomainError('forbidden', `The tier ${standing.tier} does not include API keys; Plus and above do.`, {
      code: NOT_IN_TIER,
    });
  }
  return context.sql.begin(async (tx) => {
    await lockCustomer(tx, customerId);
    if ((await countKeyNames(tx, customerId)) >= most)
      throw new DomainError(
        'state',
        `The tier ${standing.tier} allows ${most} key names, and all are in use. Delete one first.`,
      );
    const id = context.newId();
    const row = { id, customer_id: customerId, name, description, created_at: context.now() };
    if (!(await insertKeyName(tx, row)))
      throw new DomainError('conflict', `A key name ${name} exists. Choose another one.`);
    await recordEvent(context, tx, { action: 'api_key_name_created', customerId, subject: name, detail: { id } });
    return { id };
  });
}

/** Throws `state` while the name has keys, even expired ones. */
export async function deleteKeyName(context: Context, { customerId }: Customer, name: string): Promise<void> {
  await context.sql.begin(async (tx) => {
    const row = await lockKeyName(tx, { customerId, name });
    if (!row) throw noKeyName(name);
    const keys = await selectKeysOfName(tx, row.id);
    if (keys.length > 0) {
      const left = keys.map(({ id }) => id).join(', ');
      throw new DomainError('state', `The name ${row.name} still has keys: ${left}. Delete them first.`);
    }
    await deleteKeyNameRow(tx, row.id);
    const detail = { id: row.id };
    await recordEvent(context, tx, { action: 'api_key_name_deleted', customerId, subject: row.name, detail });
  });
}

export const noKeyName = (name: string) => notFound(`A key name ${name}`);
