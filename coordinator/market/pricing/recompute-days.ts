import type { Transaction } from '../../platform/db/client.ts';
import { bumpVersion, refreshLatest, replaceDay, selectVotes, type VoteRow } from '../queries/votes.ts';
import { judgeVotes } from './judge-votes.ts';

/** The prices of these days again from their observations, and whatever follows from them. The same observations give the same prices. */
export async function recomputeDays(tx: Transaction, days: readonly string[]): Promise<void> {
  for (const day of days) {
    const groups = Map.groupBy(await selectVotes(tx, day), groupOf);
    const judged = [...groups.values()].map((votes) => ({ votes, price: judgeVotes(votes) }));
    await replaceDay(tx, day, {
      votes: judged.flatMap(({ votes, price }) =>
        votes.map((vote) => ({ ...vote, outlier: price?.outliers.has(vote.provider_id) ?? false })),
      ),
      prices: judged.flatMap(({ votes: [first], price }) => (first && price ? [{ ...keyOf(first), ...price }] : [])),
    });
  }
  await refreshLatest(tx, days);
  await bumpVersion(tx);
}

const keyOf = ({ product_id, price_type, country }: VoteRow) => ({ product_id, price_type, country });
const groupOf = (vote: VoteRow): string => `${vote.product_id} ${vote.price_type} ${vote.country}`;
