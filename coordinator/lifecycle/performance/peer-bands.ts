import { quantile } from '../../figures/statistics.ts';
import { Cache, loadOnce } from '../../platform/cache.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { FEWEST_CUSTOMERS, usualOf } from './compare.ts';
import { peerFigures, type ComparedResult, type PeerFigure } from './peer-figures.ts';
import { selectFigureVotes, type FigureVotes } from './queries.ts';

/** What devices of the model reach at other customers, and the devices of the node that are shown with it. */
export interface PeerBand extends PeerFigure {
  p10: number;
  median: number;
  p90: number;
  customers: number;
  machines: number;
}

/** The votes of a model change by a machine a day; reading those of 500 customers takes longer than a page may take. */
const FRESH_MS = 10 * 60_000;
const MOST_KEPT = 64;

type ByKey = ReadonlyMap<string, FigureVotes>;
interface Kept {
  at: number;
  votes: ByKey;
}
/** By database, since a process may serve several. */
const kept = new WeakMap<Queryable, Cache<string, Promise<Kept>>>();

/**
 * Bands of the votes of other customers, one vote each, for every figure of the node that enough customers and machines have
 * measured for an expectation. Empty for models that nobody else has.
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

async function votesOf(sql: Queryable, modelKey: string, now: number): Promise<ByKey> {
  const known = kept.get(sql) ?? new Cache<string, Promise<Kept>>(MOST_KEPT);
  kept.set(sql, known);
  const found = await loadOnce(known, modelKey, async () => ({ at: now, votes: await read(sql, modelKey) }));
  if (now - found.at >= FRESH_MS) {
    found.at = now;
    // In the background: the known votes are shown once more, also if this fails.
    read(sql, modelKey).then(
      (votes) => (found.votes = votes),
      () => undefined,
    );
  }
  return found.votes;
}
