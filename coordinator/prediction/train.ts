import { Worker } from 'node:worker_threads';
import { providerRatios } from '../forward/load-ratios.ts';
import { bumpDataVersion } from '../platform/db/data-version.ts';
import type { Context } from '../platform/context.ts';
import { threadOutcome } from '../platform/thread-outcome.ts';
import { productSlugs } from '../market/find-products.ts';
import { bytesOf, versionOf, type ModelDocument } from './model/model-document.ts';
import { WINDOW_DAYS } from './model/vote.ts';
import {
  allowLongStatements,
  findNewestDay,
  findServing,
  lockModels,
  pruneModels,
  retireServing,
  selectMonthlyVotes,
  storeModel,
  claimDay,
  endDay,
} from './queries.ts';

/** 100 providers with 200 products on two terms in 12 months would be 480,000 if each sold all; in practice, a few thousand. */
export const MOST_VOTES = 500_000;
const limits = { deadlineSeconds: 600, heapMegabytes: 2048 };
const DAY_MS = 86_400_000;
/** Models kept for inspection, in addition to the one that serves. */
const KEPT = 30;
const COVERAGE: [least: number, most: number] = [0.7, 0.9];
const MOST_WORSE = 1.1;

interface Training {
  model_version: string;
  outcome: 'serving' | 'refused' | 'unchanged';
  why: string | null;
  document: ModelDocument;
  bytes: number;
}

/**
 * Trains a model on the last year's votes in a thread of its own. It serves if it passes (or with `accept`): 70 to 90 % of the
 * judged prices are in their 80 % interval (from ten providers on), and the median error is at most 1.1 times that of the model
 * that serves; else that one stays. Null if there are no votes. Throws if there are more than a model takes, or the thread fails.
 */
export async function train(
  context: Context,
  { accept }: { accept: boolean } = { accept: false },
): Promise<Training | null> {
  const { sql } = context;
  const read = await sql.begin('isolation level repeatable read read only', async (tx) => {
    await allowLongStatements(tx);
    const last = await findNewestDay(tx);
    if (last === null) return null;
    const range = { first: daysBefore(last, WINDOW_DAYS - 1), last };
    const votes = await selectMonthlyVotes(tx, { ...range, limit: MOST_VOTES + 1 });
    const slugs = await productSlugs({ sql: tx });
    const own = await providerRatios({ sql: tx }, range);
    return { votes, ratios: own.map(({ product_id, ...rest }) => ({ product: slugs.get(product_id) ?? '', ...rest })) };
  });
  if (read === null) return null;
  if (read.votes.length > MOST_VOTES)
    throw new Error(`There are more than ${MOST_VOTES} votes in a year, the most that a model is trained on.`);
  const worker = new Worker(new URL('./train-worker.ts', import.meta.url), {
    workerData: read,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
    // The thread needs no environment variables, so it gets none.
    env: {},
  });
  try {
    const document = await threadOutcome<ModelDocument | null>(worker, {
      ...limits,
      failed: 'No model could be trained',
    });
    return document === null ? null : await keep(context, document, accept);
  } finally {
    await worker.terminate();
  }
}

async function keep(context: Context, document: ModelDocument, accept: boolean): Promise<Training> {
  const bytes = bytesOf(document);
  const model_version = versionOf(document, bytes);
  const told = { model_version, document, bytes: bytes.length };
  return context.sql.begin(async (tx): Promise<Training> => {
    await lockModels(tx);
    const serving = await findServing(tx);
    if (serving?.model_version === model_version) return { ...told, outcome: 'unchanged', why: null };
    const why = accept ? null : reasonAgainst(document.backtest, serving?.backtest ?? null);
    const state = why === null ? 'serving' : 'refused';
    if (why === null) await retireServing(tx);
    const { as_of, backtest } = document;
    await storeModel(tx, {
      id: context.newId(),
      model_version,
      trained_at: context.now(),
      as_of,
      state,
      why,
      document: bytes,
      backtest,
    });
    await pruneModels(tx, KEPT);
    if (why === null) await bumpDataVersion(tx, 'prediction');
    return { ...told, outcome: state, why };
  });
}

/** Why a model must not serve; null if it can. */
export function reasonAgainst(
  { judged_coverage: coverage, median_ape: error }: ModelDocument['backtest'],
  before: Pick<ModelDocument['backtest'], 'median_ape'> | null,
): string | null {
  const [least, most] = COVERAGE;
  if (coverage !== null && (coverage < least || coverage > most))
    return `${percent(coverage)} of the prices on demand lie in their 80 % interval; it must be ${percent(least)} to ${percent(most)}`;
  const last = before?.median_ape ?? null;
  if (error !== null && last !== null && error > MOST_WORSE * last)
    return `the median error is ${percent(error)}, more than ${MOST_WORSE} times the ${percent(last)} of the model that serves`;
  return null;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** UTC; by then the night's files have been read. */
const FROM_HOUR = 5;

/** Trains once a day on one of the coordinators; called periodically in the background. */
export async function trainDaily(context: Context): Promise<void> {
  const now = context.now();
  const day = now.toISOString().slice(0, 10);
  if (now.getUTCHours() < FROM_HOUR || !(await claimDay(context.sql, { day, now }))) return;
  const training = await train(context);
  await endDay(context.sql, { day, now: context.now() });
  if (training === null) return;
  const { model_version, outcome, why } = training;
  if (outcome === 'refused')
    context.log.warn({ model_version, why }, 'a model did not pass its back-test; the one before it stays');
  else context.log.info({ model_version, outcome }, 'prediction trained');
}
