import type { Tier } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError, invalidField } from '../../platform/errors.ts';
import { recordEvent } from '../audit/record-event.ts';
import { requireStaff } from '../../platform/actor.ts';
import { countRevocation } from '../revocation/queries.ts';
import type { Customer } from './customer-actor.ts';
import { endSubscriptionRow, insertSubscription, selectSubscriptions, type SubscriptionRow } from './queries.ts';

export const listSubscriptions = ({ sql }: Context, { customerId }: Customer): Promise<SubscriptionRow[]> =>
  selectSubscriptions(sql, customerId);

/** Of two subscriptions at the same time the one that began later applies. Throws `forbidden` for others than staff. */
export async function addSubscription(
  context: Context,
  { customerId }: Customer,
  { tier, startsAt = context.now(), endsAt = null }: { tier: Tier; startsAt?: Date | undefined; endsAt?: Date | null },
): Promise<{ id: string }> {
  requireStaff(context.actor);
  if (endsAt && endsAt <= startsAt) throw invalidField('ends', 'must be after the start');
  const id = context.newId();
  await context.sql.begin(async (tx) => {
    const row = { id, customer_id: customerId, tier, starts_at: startsAt, ends_at: endsAt, created_at: context.now() };
    await insertSubscription(tx, row);
    await recordEvent(context, tx, {
      action: 'subscription_added',
      customerId,
      subject: tier,
      detail: { id, starts_at: startsAt.toISOString(), ends_at: endsAt?.toISOString() ?? null },
    });
    await countRevocation(tx);
  });
  return { id };
}

/** Ends a subscription now or at a future time. Throws `state` if it is unknown, over, or begins after `at`. */
export async function endSubscription(
  context: Context,
  { customerId }: Customer,
  { id, at = context.now() }: { id: string; at?: Date | undefined },
): Promise<void> {
  await context.sql.begin(async (tx) => {
    const ended = await endSubscriptionRow(tx, { id, customerId, at, now: context.now() });
    if (!ended) throw new DomainError('state', `The company has no subscription ${id} that could end then.`);
    const detail = { id, ends_at: at.toISOString() };
    await recordEvent(context, tx, { action: 'subscription_ended', customerId, subject: ended.tier, detail });
    await countRevocation(tx);
  });
}
