import type { z } from 'zod';
import type { Application, identifyApplicationRequest, TokenInfo } from '../../contract/application.ts';
import { visibleCustomer, type Actor } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { applicationOnWire } from './application-on-wire.ts';
import { findApplication, type ApplicationKey, findTokenInfo } from './queries.ts';

type Identity = z.output<typeof identifyApplicationRequest>;

/** A name is looked up in the caller's own company only, also for staff; an id in every company that the caller may see. */
export function keyFor(
  actor: Actor,
  { id, name }: { id?: string | undefined; name?: string | undefined },
): ApplicationKey {
  const own = 'customerId' in actor ? actor.customerId : null;
  return { id: id ?? null, name: name ?? null, customerId: id === undefined ? own : visibleCustomer(actor) };
}

export const noApplication = () => notFound('The application');

export async function readApplication(context: Context, identity: Identity): Promise<Application> {
  const row = await findApplication(context.sql, keyFor(context.actor, identity));
  if (!row) throw noApplication();
  return applicationOnWire(context, context.sql, row);
}

/** Describes the calling application token and what it gives access to. */
export async function readTokenInfo({ actor, sql }: Context): Promise<TokenInfo> {
  const row = actor.kind === 'application' ? await findTokenInfo(sql, actor.tokenId) : null;
  if (!row || actor.kind !== 'application') throw notFound('The token');
  const { tier, terms } = actor.standing;
  return {
    application: { id: row.application_id, name: row.name, client_id: row.client_id },
    token: { id: row.id, token_prefix: row.token_prefix },
    customer: row.customer_name,
    tier,
    products: terms.products,
    issued_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
