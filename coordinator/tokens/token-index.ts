import { NOT_IN_TIER } from '../contract/access.ts';
import type { TokenIndex, TokenIndexRequest, TokenIndexSpecification } from '../contract/token-index.ts';
import { type Actor, isStaff } from '../platform/actor.ts';
import type { Context } from '../platform/context.ts';
import { DomainError, invalidField } from '../platform/errors.ts';
import { indexByDay, readIndexDates } from '../platform/read-index-dates.ts';
import type { HotIndices } from './hot-tokens.ts';
import { selectIndexBasis, type IndexDayBasis } from './queries/index-days.ts';
import { indexDefinitions, type IndexDefinition } from './indices/index-definitions.ts';

/**
 * One index by day. Throws `validation` for an unknown index and for a date too early or in the future, 10008 for a start
 * after the end, 34004 for what the subscription does not include. Today has no figure before it is over.
 */
export async function tokenIndex(
  { actor, now, config }: Context,
  { values, answers }: HotIndices,
  { token, index_version, ...dates }: TokenIndexRequest,
): Promise<TokenIndex> {
  const { name } = definitionOf(token, index_version);
  const at = now();
  const range = readIndexDates(dates, { now: at, earliest: config.tokenIndexEarliestDate });
  requireIndexTerms(actor, { token, version: index_version, ...range });
  const today = at.toISOString().slice(0, 10);
  // With `today` in the key, since the answer for the same range is another one tomorrow.
  return answers('token-index', { token, index_version, ...range, today }, () => {
    const ofIndex = values.get(`${token} ${index_version}`);
    const indexes = indexByDay(range, (day) => (day < today ? ofIndex?.get(day) : undefined));
    const hasData = Object.keys(indexes).some((day) => day < today && ofIndex?.has(day));
    return {
      token,
      index_name: hasData ? name : null,
      index_version,
      starting_date: range.first,
      ending_date: range.last,
      indexes,
    };
  });
}

function definitionOf(token: string, version: string): IndexDefinition {
  const ofToken = indexDefinitions.filter((definition) => definition.token === token);
  if (ofToken.length === 0)
    throw invalidField('token', `must be one of ${indexDefinitions.map((definition) => definition.token).join(', ')}`);
  const found = ofToken.find((definition) => definition.version === version);
  if (!found)
    throw invalidField('index_version', `must be ${ofToken.map((definition) => definition.version).join(' or ')}`);
  return found;
}

interface Asked {
  token: string;
  version: string;
  first: string;
  last: string;
}

/** Throws 34004 for an index, a version or days that are not in the caller's subscription. Staff have all of them. */
function requireIndexTerms(actor: Actor, { token, version, first, last }: Asked): void {
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

/** Every index that can be requested, with the first and last past day that has a figure. */
export function listIndices({ values }: HotIndices, now: Date): { total: number; results: TokenIndexSpecification[] } {
  const today = now.toISOString().slice(0, 10);
  const results = indexDefinitions.map(({ token, version, name, unit, definition }) => {
    const days = [...(values.get(`${token} ${version}`)?.keys() ?? [])].filter((day) => day < today);
    return {
      token,
      index_version: version,
      index_name: name,
      unit,
      definition,
      first_day: days[0] ?? null,
      last_day: days.at(-1) ?? null,
    };
  });
  return { total: results.length, results };
}

/** What an index is based on, by day. Call it only once the index and these days are known to be in the caller's terms. */
export const indexBasis = ({ sql }: Pick<Context, 'sql'>, asked: Asked): Promise<IndexDayBasis[]> =>
  selectIndexBasis(sql, asked);

export type { IndexDayBasis };
