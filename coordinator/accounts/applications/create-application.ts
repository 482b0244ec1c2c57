import type { z } from 'zod';
import type { createApplicationRequest, createdApplication } from '../../contract/application.ts';
import type { Context } from '../../platform/context.ts';
import { personOf } from '../../platform/actor.ts';
import { DomainError } from '../../platform/errors.ts';
import { lockCustomer } from '../standing/queries.ts';
import { recordEvent } from '../audit/record-event.ts';
import { makeClientId, makeToken } from '../programs/opaque-token.ts';
import { customerActor } from '../standing/customer-actor.ts';
import { applicationOnWire } from './application-on-wire.ts';
import { countApplications, insertApplication } from './queries.ts';

/** Throws `conflict` for a name that the company uses already, `state` when the tier allows no more. */
export async function createApplication(
  context: Context,
  { name, description }: z.output<typeof createApplicationRequest>,
): Promise<z.input<typeof createdApplication>> {
  const { customerId, standing } = customerActor(context.actor);
  const secret = makeToken('client_secret', context.randomBytes);
  return context.sql.begin(async (tx) => {
    await lockCustomer(tx, customerId);
    const most = standing.terms.applications;
    if ((await countApplications(tx, customerId)) >= most) {
      throw new DomainError(
        'state',
        `The tier ${standing.tier} allows ${most} applications, and all are in use. Delete one first.`,
      );
    }
    const now = context.now();
    const row = {
      id: context.newId(),
      customer_id: customerId,
      name,
      description: description ?? null,
      client_id: makeClientId(context.randomBytes),
      secret_hash: secret.hash,
      created_at: now,
      updated_at: now,
      owner_id: personOf(context.actor),
    };
    if (!(await insertApplication(tx, row))) throw nameIsTaken(name);
    await recordEvent(context, tx, {
      action: 'application_created',
      customerId,
      subject: name,
      detail: { id: row.id },
    });
    return { ...(await applicationOnWire(context, tx, row)), client_secret: secret.token };
  });
}

export const nameIsTaken = (name: string) =>
  new DomainError('conflict', `An application with the name ${name} exists. Choose another name.`);
