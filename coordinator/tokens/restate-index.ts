import type { Context } from '../platform/context.ts';
import { bumpDataVersion } from '../platform/db/data-version.ts';
import { DomainError } from '../platform/errors.ts';
import { priceTokens, expenditureTokens } from './indices/index-definitions.ts';
import { recomputeIndices } from './indices/recompute-indices.ts';
import { readModelTypes } from './pricing/read-model-types.ts';
import { lockTokenDays } from './queries/affected-days.ts';
import { selectIndexDays, type Restatement } from './queries/index-days.ts';

/**
 * Computes every index of a day again although it is frozen, from what is stored now, and lists what that changes with the
 * operator's reason. Other frozen days stand. Throws `not_found` for a day without an index.
 */
export async function restateIndex(
  context: Context,
  { day, reason }: { day: string; reason: string },
): Promise<Restatement[]> {
  return context.sql.begin(async (tx) => {
    await lockTokenDays(tx);
    const rows = await selectIndexDays(tx, [...expenditureTokens, ...priceTokens], day);
    if (rows.length === 0) throw new DomainError('not_found', `No index has been computed for ${day}.`);
    const { openModels } = await readModelTypes(tx);
    const changes = await recomputeIndices(tx, { now: context.now(), openModels, cause: reason, restated: day });
    await bumpDataVersion(tx, 'tokens');
    return changes;
  });
}
