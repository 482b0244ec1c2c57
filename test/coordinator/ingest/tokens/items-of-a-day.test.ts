import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openrouterModels } from '../../../../coordinator/ingest/tokens/openrouter-models.ts';
import { openrouterRankings } from '../../../../coordinator/ingest/tokens/openrouter-rankings.ts';
import { withoutShared } from '../read-source.ts';
import { rawJson, readSharedTokens } from './read-tokens.ts';
import { realTokenFiles } from '../real-files.ts';

interface Catalogue {
  data: { id: string; canonical_slug: string; pricing: { prompt: string } }[];
}
interface Rankings {
  data: {
    model_permaslug: string;
    variant: string;
    total_prompt_tokens: number;
    total_completion_tokens: number;
  }[];
}

test(
  'items of the volumes find prices by permanent slug and offer exactly as the plain files say',
  { skip: withoutShared },
  async (t) => {
    const catalogues = realTokenFiles.catalogues;
    for (const [at, path] of realTokenFiles.rankings.entries()) {
      const prices = catalogues[at] ?? assert.fail(path);
      // By the plain files: a row of usage is priced if an entry has its slug and, behind the colon of its id, its offer.
      const offered = new Set(
        (rawJson(prices) as Catalogue).data
          .filter(({ pricing }) => Number(pricing.prompt) >= 0)
          .map(({ id, canonical_slug }) => `${canonical_slug} ${id.split(':')[1] ?? 'standard'}`),
      );
      const sums = { all: 0, priced: 0 };
      for (const row of (rawJson(path) as Rankings).data) {
        const tokens = row.total_prompt_tokens + row.total_completion_tokens;
        sums.all += tokens;
        if (offered.has(`${row.model_permaslug} ${row.variant}`)) sums.priced += tokens;
      }
      // By what is stored.
      const { prices: stored } = await readSharedTokens(openrouterModels, prices, '2026-08-22');
      const { usage } = await readSharedTokens(openrouterRankings, path, '2026-08-22');
      const keys = stored.map(({ permaslug, variant }) => `${permaslug} ${variant}`);
      assert.equal(new Set(keys).size, keys.length, `${prices}: an item has one price`);
      const items = usage.map(({ permaslug, variant }) => `${permaslug} ${variant}`);
      assert.equal(new Set(items).size, items.length, `${path}: an item stands once`);
      const known = new Set(keys);
      const total = (rows: typeof usage): number => rows.reduce((sum, row) => sum + Number(row.tokens_total), 0);
      const priced = usage.filter(({ permaslug, variant }) => known.has(`${permaslug} ${variant}`));
      assert.equal(total(usage), sums.all, path);
      assert.equal(total(priced), sums.priced, path);
      t.diagnostic(`${path}: ${((100 * sums.priced) / sums.all).toFixed(2)} % of the tokens have a price`);
    }
  },
);
