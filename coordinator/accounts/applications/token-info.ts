import type { TokenInfo } from '../../contract/application.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { findTokenInfo } from './queries.ts';

/** What the calling application token is and opens. */
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
