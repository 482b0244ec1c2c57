import { randomBytes } from 'node:crypto';
import { recomputeTokenDays } from '../../../coordinator/tokens/pricing/recompute-token-days.ts';
import { insertRun } from '../../../coordinator/platform/readings/queries.ts';
import type { Transaction } from '../../../coordinator/platform/db/client.ts';
import type { TestApp } from '../../support/app.ts';

export interface PriceSeen {
  label: string;
  model: string;
  variant?: string;
  permaslug?: string | null;
  seller: string;
  sellerType?: 'model-lab' | 'model-platform' | 'marketplace';
  validFrom?: string | null;
  validTo?: string | null;
  /** USD per million tokens */
  input: string | null;
  output: string | null;
}

export interface ModelSeen {
  /** absent: the model's name */
  label?: string;
  model: string;
  huggingFaceId?: string | null;
  openWeights?: boolean | null;
  contextLength?: number | null;
  totalParam?: string | null;
  activeParam?: string | null;
  modelType?: 'open-source' | 'open-weight' | 'closed-source' | null;
  deprecated?: boolean;
  expiresOn?: string | null;
}

export interface UsageSeen {
  permaslug: string;
  variant: string;
  model: string | null;
  total: string;
  /** null: the feed has no split */
  input: string | null;
}

export interface Reading {
  source: string;
  scope?: string;
  day: string;
  prices?: readonly PriceSeen[];
  models?: readonly ModelSeen[];
  usage?: readonly UsageSeen[];
}

/** Stores readings as an ingestion does, in one transaction, and has the figures of their days derived. */
export async function store({ context }: TestApp, ...readings: readonly Reading[]): Promise<void> {
  const days = readings.map(({ day }) => day).toSorted();
  await context.sql.begin(async (tx) => {
    for (const reading of readings) await storeReading(tx, context.newId(), reading, context.now());
    await recomputeTokenDays(context, tx, { first: days[0] ?? '', last: days.at(-1) ?? '' });
  });
}

async function storeReading(tx: Transaction, id: string, reading: Reading, now: Date): Promise<void> {
  const { source, scope = '', day, prices = [], models = [], usage = [] } = reading;
  for (const table of ['token_price_observation', 'token_model_observation', 'token_usage_observation'])
    await tx`delete from ${tx(table)} o using ingest_run r
      where o.run_id = r.id and o.source = ${source} and r.scope = ${scope} and o.day = ${day}`;
  await insertRun(tx, {
    id,
    source,
    scope,
    origin: 'test',
    file: null,
    content_sha256: randomBytes(32),
    first_day: day,
    last_day: day,
    rows_read: 1,
    rows_kept: 1,
    refused: {},
    unmatched: 0,
    started_at: now,
    ended_at: now,
  });
  const common = { run_id: id, source, day };
  await insertAll(
    tx,
    'token_price_observation',
    prices.map((seen, at) => ({
      ...common,
      row_number: at + 1,
      label: seen.label,
      model: seen.model,
      variant: seen.variant ?? 'standard',
      permaslug: seen.permaslug ?? null,
      seller: seen.seller,
      seller_type: seen.sellerType ?? 'model-platform',
      valid_from: seen.validFrom ?? null,
      valid_to: seen.validTo ?? null,
      price_input: seen.input,
      price_output: seen.output,
      raw: tx.json({}),
    })),
  );
  await insertAll(
    tx,
    'token_model_observation',
    models.map((seen) => ({
      ...common,
      label: seen.label ?? seen.model,
      model: seen.model,
      hugging_face_id: seen.huggingFaceId ?? null,
      open_weights: seen.openWeights ?? null,
      context_length: seen.contextLength ?? null,
      total_param: seen.totalParam ?? null,
      active_param: seen.activeParam ?? null,
      model_type: seen.modelType ?? null,
      is_deprecated: seen.deprecated ?? false,
      expires_on: seen.expiresOn ?? null,
    })),
  );
  await insertAll(
    tx,
    'token_usage_observation',
    usage.map((seen) => ({
      ...common,
      permaslug: seen.permaslug,
      variant: seen.variant,
      model: seen.model,
      tokens_total: seen.total,
      tokens_input: seen.input,
      tokens_output: seen.input === null ? null : String(BigInt(seen.total) - BigInt(seen.input)),
    })),
  );
}

const AT_ONCE = 1000;

async function insertAll(tx: Transaction, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await tx`insert into ${tx(table)} ${tx(rows.slice(at, at + AT_ONCE) as never)}`;
}
