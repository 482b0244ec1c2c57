import type { TokenIndex, TokenIndexRequest } from '../contract/token-index.ts';
import type { Context } from '../platform/context.ts';
import { invalidField } from '../platform/errors.ts';
import { indexByDay, readIndexDates } from '../platform/read-index-dates.ts';
import type { HotIndices } from './hot-indices.ts';
import { indexDefinitions, type IndexDefinition } from './indices/index-definitions.ts';
import { requireIndexTerms } from './require-index-terms.ts';

/**
 * One index by day. Throws `validation` for an index that there is not, 10008 for a range of dates that cannot be, 34004 for what the
 * subscription does not include. Today has no figure before it is over.
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
  // With today in it, which is another range tomorrow.
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
