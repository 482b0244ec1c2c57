import type { z } from 'zod';
import type { identifyApplicationRequest, Application, updateApplicationRequest } from '../../contract/application.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { keyFor, noApplication } from './find-application.ts';
import {
  countValidTokens,
  deleteApplicationRow,
  lockApplication,
  selectOwners,
  setOwner,
  updateApplicationRow,
} from './queries.ts';
import { mayManageApplication } from './rights.ts';
import { lockCustomer } from '../standing/queries.ts';
import { applicationOnWire } from './application-on-wire.ts';
import { nameIsTaken } from './create-application.ts';

/** Throws `not_found`, `forbidden`. With an id: its name, its description or both. With a name alone: the description of the application of that name. */
export async function changeApplication(
  context: Context,
  { id, name, description }: z.output<typeof updateApplicationRequest>,
): Promise<Application> {
  return context.sql.begin(async (tx) => {
    const row = await lockApplication(tx, keyFor(context.actor, id === undefined ? { name } : { id }));
    if (!row) throw noApplication();
    mayManageApplication(context.actor, row);
    await lockCustomer(tx, row.customer_id);
    const changed = {
      ...row,
      name: id === undefined ? row.name : (name ?? row.name),
      description: description ?? row.description,
      updated_at: context.now(),
    };
    if (!(await updateApplicationRow(tx, changed))) throw nameIsTaken(changed.name);
    await recordEvent(context, tx, {
      action: 'application_changed',
      customerId: row.customer_id,
      subject: changed.name,
      detail: { id: row.id, name_before: row.name },
    });
    return applicationOnWire(context, tx, changed);
  });
}

/** Throws `not_found`, `forbidden`, and `state` while the application has a token that is neither expired nor revoked. */
export async function deleteApplication(
  context: Context,
  identity: z.output<typeof identifyApplicationRequest>,
): Promise<{ id: string; deleted: true }> {
  return context.sql.begin(async (tx) => {
    const row = await lockApplication(tx, keyFor(context.actor, identity));
    if (!row) throw noApplication();
    mayManageApplication(context.actor, row);
    const valid = await countValidTokens(tx, row.id, context.now());
    if (valid > 0) {
      throw new DomainError(
        'state',
        `The application has ${valid} valid ${valid === 1 ? 'token' : 'tokens'}. Revoke ${valid === 1 ? 'it' : 'them'} first: DELETE /api/application/token.`,
      );
    }
    await deleteApplicationRow(tx, row.id);
    const { id, customer_id: customerId, name: subject } = row;
    await recordEvent(context, tx, { action: 'application_deleted', customerId, subject, detail: { id } });
    return { id, deleted: true };
  });
}

/**
 * Makes the calling administrator the owner, so that the application and its tokens stay when the person who made it leaves.
 * Throws `not_found`, `forbidden`.
 */
export async function takeOverApplication(
  context: Context,
  identity: z.output<typeof identifyApplicationRequest>,
): Promise<Application> {
  const { actor } = context;
  return context.sql.begin(async (tx) => {
    const row = await lockApplication(tx, keyFor(actor, identity));
    if (!row) throw noApplication();
    if (actor.kind !== 'user' || actor.role === 'user' || actor.customerId !== row.customer_id)
      throw new DomainError('forbidden', 'Applications are taken over by administrators of the company.');
    const at = context.now();
    const before = (await selectOwners(tx, [row.id]))[0]?.email ?? null;
    await setOwner(tx, { id: row.id, ownerId: actor.userId, at });
    await recordEvent(context, tx, {
      action: 'application_taken_over',
      customerId: row.customer_id,
      subject: row.name,
      detail: { id: row.id, owner_before: before },
    });
    return applicationOnWire(context, tx, { ...row, owner_id: actor.userId, updated_at: at });
  });
}
