import type { Context } from '../../platform/context.ts';
import { personOf } from './person-of.ts';
import { countRecoveryCodes, findFactor } from './queries.ts';

/** What a person sees of the own factor; `since` null: none is enrolled. */
export async function readFactorState(
  context: Context,
): Promise<{ since: Date | null; recoveryCodesLeft: number; isRequired: boolean }> {
  const user = await personOf(context, null);
  const factor = await findFactor(context.sql, user.id);
  return {
    since: factor?.enrolled_at ?? null,
    recoveryCodesLeft: await countRecoveryCodes(context.sql, user.id),
    isRequired: user.requires_second_factor,
  };
}
