import { currentSigningKey } from '../accounts/current-signing-key.ts';
import { signJobToken } from '../accounts/sign-job-token.ts';
import type { Context } from '../platform/context.ts';
import type { TokenRow } from './queries.ts';

/** The key that signs the tokens of jobs created now. */
export async function currentTokenKey(context: Context): Promise<string> {
  return (await currentSigningKey(context, 'job')).kid;
}

/** The job's token, the same at every call: it is derived from the row and stored nowhere. */
export function jobToken(context: Context, row: TokenRow): Promise<string> {
  return signJobToken(context, {
    jobId: row.id,
    customerId: row.customer_id,
    tokenId: row.token_id,
    kid: row.token_kid,
    issuedAt: row.created_at,
    expiresAt: row.expires_at,
  });
}
