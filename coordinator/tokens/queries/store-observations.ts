import type { Transaction } from '../../platform/db/client.ts';
import { markReplaced, selectStanding } from '../../platform/readings/queries.ts';
import type { ModelObservation, PriceObservation, UsageObservation } from '../observations.ts';

const tables = ['token_price_observation', 'token_model_observation', 'token_usage_observation'] as const;

interface Run {
  runId: string;
  source: string;
}

export async function insertPrices(tx: Transaction, run: Run, rows: readonly PriceObservation[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into token_price_observation (run_id, source, day, row_number, label, model, variant, permaslug, seller,
      seller_type, valid_from, valid_to, price_input, price_output, price_cached_input, raw)
    select ${run.runId}, ${run.source}, r.* from jsonb_to_recordset(${JSON.stringify(
      rows.map((row) => ({
        day: row.day,
        row_number: row.rowNumber,
        label: row.label,
        model: row.model,
        variant: row.variant,
        permaslug: row.permaslug,
        seller: row.seller,
        seller_type: row.sellerType,
        valid_from: row.validFrom,
        valid_to: row.validTo,
        price_input: row.input,
        price_output: row.output,
        price_cached_input: row.cachedInput,
        raw: row.raw,
      })),
    )}::text::jsonb) as r (day date, row_number int4, label text, model text, variant text, permaslug text,
      seller text, seller_type text, valid_from date, valid_to date, price_input numeric, price_output numeric,
      price_cached_input numeric, raw jsonb)`;
}

export async function insertModels(tx: Transaction, run: Run, rows: readonly ModelObservation[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into token_model_observation (run_id, source, day, label, model, name, context_length, hugging_face_id,
      open_weights, total_param, active_param, param_evidence, model_type, is_deprecated, expires_on)
    select ${run.runId}, ${run.source}, r.* from jsonb_to_recordset(${JSON.stringify(
      rows.map((row) => ({
        day: row.day,
        label: row.label,
        model: row.model,
        name: row.name,
        context_length: row.contextLength,
        hugging_face_id: row.huggingFaceId,
        open_weights: row.openWeights,
        total_param: row.totalParam,
        active_param: row.activeParam,
        param_evidence: row.paramEvidence,
        model_type: row.modelType,
        is_deprecated: row.isDeprecated,
        expires_on: row.expiresOn,
      })),
    )}::text::jsonb) as r (day date, label text, model text, name text, context_length int8, hugging_face_id text,
      open_weights boolean, total_param numeric, active_param numeric, param_evidence text, model_type text,
      is_deprecated boolean, expires_on date)`;
}

export async function insertUsage(tx: Transaction, run: Run, rows: readonly UsageObservation[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into token_usage_observation (run_id, source, day, permaslug, variant, model, tokens_total, tokens_input,
      tokens_output)
    select ${run.runId}, ${run.source}, r.* from jsonb_to_recordset(${JSON.stringify(
      rows.map((row) => ({
        day: row.day,
        permaslug: row.permaslug,
        variant: row.variant,
        model: row.model,
        tokens_total: row.total,
        tokens_input: row.input,
        tokens_output: row.output,
      })),
    )}::text::jsonb) as r (day date, permaslug text, variant text, model text, tokens_total int8, tokens_input int8,
      tokens_output int8)`;
}

/** Of these days, those for which a reading has input and output apart. */
export async function selectDaysWithSplit(
  tx: Transaction,
  { source, days }: { source: string; days: readonly string[] },
): Promise<Set<string>> {
  const rows = await tx<{ day: string }[]>`
    select distinct day::text from token_usage_observation
    where source = ${source} and day = any(${days}::date[]) and tokens_input is not null`;
  return new Set(rows.map(({ day }) => day));
}

export interface Deleted {
  rows: number;
  /** how many were of which reading */
  ofRuns: ReadonlyMap<string, number>;
}

/** Takes away what earlier readings of this part of the source said of these days. */
export async function deleteReplaced(
  tx: Transaction,
  { source, scope, days }: { source: string; scope: string; days: readonly string[] },
): Promise<Deleted> {
  const runs = await selectStanding(tx, { source, scope });
  if (runs.length === 0) return { rows: 0, ofRuns: new Map() };
  const deleted = await Promise.all(
    tables.map(
      (table) => tx<{ run_id: string; rows: number }[]>`
        with gone as (
          delete from ${tx(table)}
          where source = ${source} and day = any(${days}::date[]) and run_id = any(${runs}::int8[])
          returning run_id
        )
        select run_id, count(*)::float8 as rows from gone group by run_id`,
    ),
  );
  const ofRuns = new Map<string, number>();
  for (const { run_id, rows } of deleted.flat()) ofRuns.set(run_id, (ofRuns.get(run_id) ?? 0) + rows);
  return { rows: [...ofRuns.values()].reduce((sum, rows) => sum + rows, 0), ofRuns };
}

/** One row of a file may be several observations: a reading is empty once no table has any of it. */
export const markEmptied = (
  tx: Transaction,
  { ofRuns, by }: { ofRuns: ReadonlyMap<string, number>; by: string },
): Promise<void> => {
  const remains = tables.map(
    (table) => tx`
      exists (select from ${tx(table)} o where o.run_id = r.id and o.source = r.source and o.day between r.first_day and r.last_day)`,
  );
  return markReplaced(tx, {
    rows: ofRuns,
    by,
    isEmpty: tx`not (${remains.reduce((all, one) => tx`${all} or ${one}`)})`,
  });
};
