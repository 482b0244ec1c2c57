import type { z } from 'zod';
import type { Application, ApplicationColumn, listApplicationsRequest } from '../../contract/application.ts';
import { pathId } from '../../contract/wire.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { invalidField } from '../../platform/errors.ts';
import { pageBounds } from '../../platform/page.ts';
import { applicationsOnWire } from './application-on-wire.ts';
import { selectApplications, type ApplicationFilter } from './queries.ts';

/** Applications of the caller's company, or of all companies for staff; newest first unless ordered otherwise. */
export async function listApplications(
  context: Context,
  input: z.output<typeof listApplicationsRequest>,
): Promise<{ total: number; results: Application[] }> {
  const { total, rows } = await selectApplications(context.sql, {
    customerId: visibleCustomer(context.actor),
    filters: input.filter.flatMap((entry) => Object.entries(entry)).map(checked),
    order: input.order_by
      .flatMap((entry) => Object.entries(entry))
      .map(([column, direction]) => ({ column: column as ApplicationColumn, direction })),
    ...pageBounds(input.paginate),
  });
  return { total, results: await applicationsOnWire(context, context.sql, rows) };
}

function checked([column, value]: [string, string | number]): ApplicationFilter {
  if (column === 'id' && !pathId.safeParse(String(value)).success)
    throw invalidField('filter', 'id must be an integer id');
  // The request schema allows only these columns.
  return [column as ApplicationFilter[0], String(value)];
}
