import type { VoteRow } from '../queries/votes.ts';
import type { OwnHistory, PastVote } from './own-history.ts';
import { unitBreak, type Move } from './unit-breaks.ts';

/** A vote that differs more from its previous one does not repeat it. */
const STILL = Math.log(1.5);

/**
 * Which votes of a day moved together with most of their source by a factor that another unit would explain. The others of
 * the day cannot vouch for them, nor can a volatile past: the source is unsure as a whole. Not if an operator has said so
 * (`--unit-changed-on`). Votes that were unsure before do not count as moves, so that they come back in with their source.
 */
export function movedWithSource(
  day: string,
  votes: readonly VoteRow[],
  { history, hasChangedUnit }: { history: OwnHistory; hasChangedUnit: (source: string, day: string) => boolean },
): (vote: VoteRow) => boolean {
  const moves = new Map<string, VoteMove[]>();
  for (const vote of votes) {
    const { source, country, segment, price, cards, product_id, provider_id } = vote;
    if (country !== '' || segment !== '' || source === null || hasChangedUnit(source, day)) continue;
    const last = history.last(day, vote);
    if (last === null || last.source !== source || last.cards !== cards || last.screened_by === 'unit') continue;
    const move = { product_id, provider_id, cards, ratio: price / last.price, key: keyOf(vote) };
    const known = moves.get(source);
    if (known) known.push(move);
    else moves.set(source, [move]);
  }
  const moved = new Set<string>();
  for (const ofSource of moves.values()) for (const { key } of unitBreak(ofSource)?.moved ?? []) moved.add(key);
  return (vote) => vote.segment === '' && moved.has(keyOf(vote));
}

/** `key` identifies the vote, in every country. */
interface VoteMove extends Move {
  key: string;
}

const keyOf = ({ product_id, price_type, provider_id }: VoteRow): string =>
  `${product_id} ${price_type} ${provider_id}`;

/** It repeats a vote that moved with its source. */
export const isStillMoved = (price: number, last: PastVote | null): boolean =>
  last?.screened_by === 'unit' && Math.abs(Math.log(price / last.price)) <= STILL;
