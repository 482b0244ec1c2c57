import type { Terms, TokenIndexTerms } from '../../contract/terms.ts';
import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import { countRevocation } from '../revocation/queries.ts';
import type { Customer } from './customer-actor.ts';
import { updateCustomerTerms } from './queries.ts';

export type CustomerTerms = Partial<{
  [Field in keyof (Terms & TokenIndexTerms)]: (Terms & TokenIndexTerms)[Field] | null;
}>;

/** What one customer has otherwise than its tier; null takes a difference back. Running processes know within half a second. */
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
