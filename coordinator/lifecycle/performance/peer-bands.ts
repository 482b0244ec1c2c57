import { quantile } from '../../figures/statistics.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { FEWEST_CUSTOMERS, usualOf } from './compare.ts';
import { peerFigures, type ComparedResult, type PeerFigure } from './peer-figures.ts';
import { selectFigureVotes, type FigureVotes } from './queries.ts';

/** What devices of the model reach at other customers, and the devices of the node that stand beside it. */
export interface PeerBand extends PeerFigure {
  p10: number;
  median: number;
  p90: number;
  customers: number;
  machines: number;
}

/** The votes of a model move by a machine a day; reading those of 500 customers takes longer than a page may. */
const FRESH_MS = 10 * 60_000;
const MOST_KEPT = 64;

type ByKey = ReadonlyMap<string, FigureVotes>;
interface Kept {
  at: number;
  votes: Promise<ByKey>;
}
/** By database, since a process may serve several. */
const kept = new WeakMap<Queryable, Map<string, Kept>>();

/**
 * Bands of the votes of other customers, one each, of every figure of the node that as many customers and machines have measured
 * as an expectation takes. Empty for models that nobody else has.
 */
export async function peerBands(
  { sql, now }: Pick<Context, 'sql' | 'now'>,
  result: ComparedResult,
  customerId: string,
): Promise<PeerBand[]> {
  const node = peerFigures(result);
  if (node === null || node.figures.length === 0) return [];
  const votes = await votesOf(sql, node.model_key, now().getTime());
  return node.figures.flatMap((figure) => {
    const band = bandOf(votes.get(figure.key), customerId);
    return band === null ? [] : [{ ...figure, ...band }];
  });
}

function bandOf(given: FigureVotes | undefined, customerId: string): Omit<PeerBand, keyof PeerFigure> | null {
  if (given === undefined) return null;
  const isOther = (_: number, at: number): boolean => given.customers[at] !== customerId;
  const { votes, customers, machines, median } = usualOf(
    given.medians.filter(isOther),
    given.machines.filter(isOther).reduce((sum, count) => sum + count, 0),
  );
  if (median === null) return null;
  return { p10: quantile(votes, 0.1), median, p90: quantile(votes, 0.9), customers, machines };
}

async function read(sql: Queryable, modelKey: string): Promise<ByKey> {
  return new Map((await selectFigureVotes(sql, modelKey, FEWEST_CUSTOMERS)).map((votes) => [votes.key, votes]));
}

function votesOf(sql: Queryable, modelKey: string, now: number): Promise<ByKey> {
  const known = kept.get(sql) ?? new Map<string, Kept>();
  kept.set(sql, known);
  const found = known.get(modelKey);
  if (found !== undefined) {
    if (now - found.at >= FRESH_MS) {
      found.at = now;
      // Nobody waits for it: what is there is shown once more, also if this fails.
      read(sql, modelKey).then(
        (votes) => (found.votes = Promise.resolve(votes)),
        () => undefined,
      );
    }
    return found.votes;
  }
  const votes = read(sql, modelKey);
  known.set(modelKey, { at: now, votes });
  // What failed is asked for again.
  votes.catch(() => known.delete(modelKey));
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KEPT) break;
    known.delete(oldest);
  }
  return votes;
}
