import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { countRevocation } from '../revocation/queries.ts';
import { tokenOnWire } from './application-on-wire.ts';
import { mayManageApplication } from './rights.ts';
import { lockToken, revokeTokenRow } from './queries.ts';

/** Throws `not_found`, `forbidden`. Idempotent: revoking a revoked token changes nothing and gets the same answer. */
export async function revokeToken(context: Context, id: string): Promise<ReturnType<typeof tokenOnWire>> {
  return context.sql.begin(async (tx) => {
    const token = await lockToken(tx, { id, customerId: visibleCustomer(context.actor) });
    if (!token) throw notFound('The token');
    mayManageApplication(context.actor, token);
    if (token.revoked_at) return tokenOnWire(token);
    const now = context.now();
    await revokeTokenRow(tx, id, now);
    await recordEvent(context, tx, {
      action: 'app_token_revoked',
      customerId: token.customer_id,
      subject: token.name,
      detail: { id, token_prefix: token.token_prefix },
    });
    await countRevocation(tx);
    return tokenOnWire({ ...token, revoked_at: now });
  });
}
