import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { ISSUER } from '../job-token.ts';
import { personOf } from './person-of.ts';
import { findFactor, proposeFactor as storeProposal } from './queries.ts';
import { base32, keyUri, SECRET_BYTES } from './totp.ts';

/** The secret for an authenticator app; it has no effect until one of its codes has been entered. */
interface Proposal {
  secret: string;
  uri: string;
}

/** A new secret. Throws `state` if a factor is enrolled. */
export async function proposeFactor(context: Context, ticket: string | null): Promise<Proposal> {
  const user = await personOf(context, ticket);
  const secret = context.randomBytes(SECRET_BYTES);
  if (!(await storeProposal(context.sql, { user_id: user.id, secret, created_at: context.now() }))) throw notProposed();
  return proposalOf(secret, user.email);
}

/** The proposal shown before, for another try after a wrong code. Throws `state` if there is none. */
export async function readProposal(context: Context, ticket: string | null): Promise<Proposal> {
  const user = await personOf(context, ticket);
  const factor = await findFactor(context.sql, user.id);
  if (!factor || factor.enrolled_at) throw notProposed();
  return proposalOf(factor.secret, user.email);
}

const proposalOf = (secret: Buffer, email: string): Proposal => ({
  secret: base32(secret),
  uri: keyUri(secret, { issuer: ISSUER, email }),
});

export const notProposed = (): DomainError =>
  new DomainError('state', 'A second factor is already set up, or its set-up has not been started.');
