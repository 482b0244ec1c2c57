import type { Terms, TokenIndexTerms } from '../../contract/terms.ts';
import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import { countRevocation } from '../revocation/queries.ts';
import type { Customer } from './customer-actor.ts';
import { updateCustomerTerms, selectTiers, updateTier } from './queries.ts';
import type { Tier } from '../../contract/user.ts';

export type CustomerTerms = Partial<{
  [Field in keyof (Terms & TokenIndexTerms)]: (Terms & TokenIndexTerms)[Field] | null;
}>;

/** Sets one customer's terms that differ from its tier's; null restores those. Running processes know within half a second. */
export async function changeCustomerTerms(
  context: Context,
  { customerId }: Customer,
  changes: CustomerTerms,
): Promise<void> {
  await context.sql.begin(async (tx) => {
    await updateCustomerTerms(tx, customerId, { ...changes, updated_at: context.now() });
    await recordEvent(context, tx, {
      action: 'customer_terms_changed',
      customerId,
      subject: Object.keys(changes).join(', '),
      detail: { changes: JSON.stringify(changes) },
    });
    await countRevocation(tx);
  });
}

/** Only what is to change. */
export type TermsChange = { [Field in keyof Terms]?: Terms[Field] };

/** The terms of all tiers, the smallest first. */
export const listTiers = ({ sql }: Context) => selectTiers(sql);

/** Changes the terms of every customer of a tier from now on; running processes know within half a second. */
export async function changeTier(context: Context, tier: Tier, changes: TermsChange): Promise<void> {
  await context.sql.begin(async (tx) => {
    await updateTier(tx, tier, changes, context.now());
    await recordEvent(context, tx, { action: 'tier_changed', customerId: null, subject: tier, detail: { ...changes } });
    await countRevocation(tx);
  });
}
