import { NOT_IN_TIER } from '../contract/access.ts';
import { isStaff, type Actor } from '../platform/actor.ts';
import { DomainError } from '../platform/errors.ts';

interface Asked {
  token: string;
  version: string;
  first: string;
  last: string;
}

/** Throws 34004 for an index, a version or days that are not in the caller's subscription. Staff have all of them. */
export function requireIndexTerms(actor: Actor, { token, version, first, last }: Asked): void {
  if (isStaff(actor) || !('standing' in actor)) return;
  const { token_index_tokens, token_index_versions, token_index_from, token_index_to } = actor.standing.terms;
  const refuse = (message: string): never => {
    throw new DomainError('forbidden', `The subscription does not include ${message}`, { code: NOT_IN_TIER });
  };
  if (!includes(token_index_tokens, token))
    refuse(`the token index ${token}; it includes: ${token_index_tokens?.join(', ') || 'none'}.`);
  if (!includes(token_index_versions, version))
    refuse(`version ${version}; it includes: ${token_index_versions?.join(', ') || 'none'}.`);
  if (token_index_from !== null && first < token_index_from)
    refuse(`days before ${token_index_from}; starting_date is ${first}.`);
  if (token_index_to !== null && last > token_index_to) refuse(`days after ${token_index_to}; ending_date is ${last}.`);
}

const includes = (allowed: readonly string[] | null, name: string): boolean =>
  allowed === null || allowed.some((one) => one.toLowerCase() === name);
