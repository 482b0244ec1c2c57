import type { TokenConnector } from '../../../coordinator/ingest/tokens/token-connector.ts';
import { genaiPrices } from '../../../coordinator/ingest/tokens/genai-prices.ts';
import { litellm } from '../../../coordinator/ingest/tokens/litellm.ts';
import { llmPrices } from '../../../coordinator/ingest/tokens/llm-prices.ts';
import { modelsDev } from '../../../coordinator/ingest/tokens/models-dev.ts';
import { openrouterModels } from '../../../coordinator/ingest/tokens/openrouter-models.ts';
import { openrouterRankings } from '../../../coordinator/ingest/tokens/openrouter-rankings.ts';
import { insertRun } from '../../../coordinator/platform/readings/queries.ts';
import { recomputeTokenDays } from '../../../coordinator/tokens/pricing/recompute-token-days.ts';
import { insertObservations } from '../../../coordinator/tokens/queries/store-observations.ts';
import type { TestApp } from '../../support/app.ts';
import { realTokenFiles } from '../ingest/real-files.ts';
import { readSharedTokens } from '../ingest/tokens/read-tokens.ts';

const readers: readonly (readonly [TokenConnector, readonly string[]])[] = [
  [openrouterModels, realTokenFiles.catalogues],
  [openrouterRankings, realTokenFiles.rankings],
  [litellm, realTokenFiles.litellm],
  [genaiPrices, realTokenFiles.genai],
  [modelsDev, realTokenFiles.modelsDev],
  [llmPrices, realTokenFiles.vendors],
];

/** Stores every publisher's file as an ingestion of it does, and derives all figures once. */
export async function storeRealMarket({ context }: TestApp): Promise<void> {
  await context.sql.begin(async (tx) => {
    const days: string[] = [];
    for (const [connector, paths] of readers)
      for (const path of paths) {
        const day = /\d{4}-\d\d-\d\d/.exec(path)?.[0] ?? '2026-08-05';
        const { reading, prices, models, usage, rowsKept } = await readSharedTokens(connector, path, day);
        const covered = usage.length > 0 ? [...new Set(usage.map((one) => one.day))].toSorted() : [day];
        const id = context.newId();
        await insertRun(tx, {
          id,
          source: connector.name,
          scope: reading.scope,
          origin: path,
          file: null,
          content_sha256: Buffer.from(id.padStart(32, '0')),
          first_day: covered[0] ?? day,
          last_day: covered.at(-1) ?? day,
          rows_read: reading.rows.length,
          rows_kept: rowsKept,
          refused: {},
          unmatched: 0,
          started_at: context.now(),
          ended_at: context.now(),
        });
        await insertObservations(tx, { run_id: id, source: connector.name }, { prices, models, usage });
        days.push(...covered);
      }
    days.sort();
    await recomputeTokenDays(context, tx, { first: days[0] ?? '', last: days.at(-1) ?? '' });
  });
}
