import type { Context } from '../../platform/context.ts';
import { selectCustomers, type CustomerRow } from './queries.ts';

/** More than one table of a terminal holds. */
const MOST = 10_000;

export async function listCustomers({ sql, now }: Context): Promise<{ customers: CustomerRow[]; more: boolean }> {
  const customers = await selectCustomers(sql, now(), MOST + 1);
  return { customers: customers.slice(0, MOST), more: customers.length > MOST };
}
