import type { Context } from '../platform/context.ts';
import { co2jsEditions } from './shipped/co2js.ts';
import { tableEditions } from './shipped/tables.ts';
import { storeEditions } from './store-editions.ts';

/** The factors, zips and regions that come with this version, in the database. What an operator has loaded stays beside them. */
export async function ensureCarbon(context: Context): Promise<void> {
  await storeEditions(context, [...co2jsEditions(), ...(await tableEditions())]);
}
