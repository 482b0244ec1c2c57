import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import { quantile } from '../../figures/statistics.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { peersOf } from './compare.ts';
import { keyMetrics, nodeFigures, type CustomerVote, type KeyMetric, type ModelFigures } from './node-figures.ts';
import { selectVotes } from './queries.ts';

/** What devices of the model reach at other customers. */
export interface PeerBand {
  metric: KeyMetric;
  p10: number;
  median: number;
  p90: number;
  customers: number;
  machines: number;
}

/** Results of all jobs count: the caller's own have no part in the band. */
const NO_JOB = '0';
/** The votes of a model move by a machine a day; reading those of 500 customers takes longer than a page may. */
const FRESH_MS = 10 * 60_000;
const MOST_KEPT = 64;

interface Kept {
  at: number;
  votes: Promise<CustomerVote[]>;
}
/** By database, since a process may serve several. */
const kept = new WeakMap<Queryable, Map<string, Kept>>();

/**
 * Bands of the votes of other customers, one each, of every key figure that as many customers and machines have measured as an
 * expectation takes. Empty for processors and models that nobody else has.
 */
export async function peerBands(
  { sql, now }: Pick<Context, 'sql' | 'now'>,
  devices: readonly QuickMarkTestResult[],
  customerId: string,
): Promise<PeerBand[]> {
  const model = nodeFigures(devices);
  if (model === null || model.bf16_engine === 'mixed') return [];
  const world = (await votesOf(sql, model, now().getTime())).filter((vote) => vote.customer_id !== customerId);
  return keyMetrics.flatMap((metric) => {
    const { votes, customers, machines, median } = peersOf(metric, world);
    if (median === null) return [];
    return [{ metric, p10: quantile(votes, 0.1), median, p90: quantile(votes, 0.9), customers, machines }];
  });
}

function votesOf(sql: Queryable, { model_key, bf16_engine }: ModelFigures, now: number): Promise<CustomerVote[]> {
  const known = kept.get(sql) ?? new Map<string, Kept>();
  kept.set(sql, known);
  const key = `${model_key}|${bf16_engine ?? ''}`;
  const found = known.get(key);
  if (found !== undefined) {
    if (now - found.at >= FRESH_MS) {
      found.at = now;
      // Nobody waits for it: what is there is shown once more, also if this fails.
      selectVotes(sql, { model_key, bf16_engine }, NO_JOB).then(
        (votes) => (found.votes = Promise.resolve(votes)),
        () => undefined,
      );
    }
    return found.votes;
  }
  const votes = selectVotes(sql, { model_key, bf16_engine }, NO_JOB);
  known.set(key, { at: now, votes });
  // What failed is asked for again.
  votes.catch(() => known.delete(key));
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KEPT) break;
    known.delete(oldest);
  }
  return votes;
}
