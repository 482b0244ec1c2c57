import type { Context } from '../../platform/context.ts';
import type { Customer } from './customer-actor.ts';
import { countInUse, type InUse } from './queries.ts';

/** How much the customer has of what its tier limits. */
export const limitsInUse = ({ sql, now }: Pick<Context, 'sql' | 'now'>, { customerId }: Customer): Promise<InUse> =>
  countInUse(sql, customerId, now());
