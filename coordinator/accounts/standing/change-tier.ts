import type { Terms } from '../../contract/terms.ts';
import type { Tier } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import { countRevocation } from '../revocation/queries.ts';
import { selectTiers, updateTier } from './queries.ts';

/** Only what is to change. */
export type TermsChange = { [Field in keyof Terms]?: Terms[Field] };

export const listTiers = ({ sql }: Context) => selectTiers(sql);

/** What every customer of a tier has from now on; running processes know within half a second. */
export async function changeTier(context: Context, tier: Tier, changes: TermsChange): Promise<void> {
  await context.sql.begin(async (tx) => {
    await updateTier(tx, tier, changes, context.now());
    await recordEvent(context, tx, { action: 'tier_changed', customerId: null, subject: tier, detail: { ...changes } });
    await countRevocation(tx);
  });
}
