import type { Standing } from '../../contract/terms.ts';
import { requireStaff, type Actor } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { findCustomerByName } from '../queries.ts';
import { findStanding, selectCustomers, type CustomerRow, countInUse, type InUse } from './queries.ts';

/** The customer whose rows a verb works on, and what it may do now. */
export interface Customer {
  customerId: string;
  standing: Standing;
}

/** The customer that a person or a program acts for. The routes let nobody else through. */
export function customerActor(actor: Actor): Customer {
  if (!('standing' in actor)) throw new Error(`a caller of kind ${actor.kind} has no customer's standing`);
  return actor;
}

/** For commands of the operator. Throws `not_found`. */
export async function customerNamed({ sql, now }: Context, company: string): Promise<Customer> {
  const known = await findCustomerByName(sql, company);
  const standing = known && (await findStanding(sql, known.id, now()));
  if (!standing) throw notFound(`A company ${company}`);
  return { customerId: known.id, standing };
}

/** More than one table in a terminal will have. */
const MOST = 10_000;

/** All companies by name; `more` if the list was cut. Throws `forbidden` for others than staff. */
export async function listCustomers({
  actor,
  sql,
  now,
}: Context): Promise<{ customers: CustomerRow[]; more: boolean }> {
  requireStaff(actor);
  const customers = await selectCustomers(sql, now(), MOST + 1);
  return { customers: customers.slice(0, MOST), more: customers.length > MOST };
}

/** How much the customer uses of what its tier limits. */
export const limitsInUse = ({ sql, now }: Pick<Context, 'sql' | 'now'>, { customerId }: Customer): Promise<InUse> =>
  countInUse(sql, customerId, now());
