import type { z } from 'zod';
import type { identifyApplicationRequest } from '../../contract/application.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { keyFor, noApplication } from './find-application.ts';
import { countValidTokens, deleteApplicationRow, lockApplication } from './queries.ts';

/** Throws `state` while a token of it is neither expired nor revoked. */
export async function deleteApplication(
  context: Context,
  identity: z.output<typeof identifyApplicationRequest>,
): Promise<{ id: string; deleted: true }> {
  return context.sql.begin(async (tx) => {
    const row = await lockApplication(tx, keyFor(context.actor, identity));
    if (!row) throw noApplication();
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
