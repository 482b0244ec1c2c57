import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { genaiPrices } from '../../../../coordinator/ingest/tokens/genai-prices.ts';
import { litellm } from '../../../../coordinator/ingest/tokens/litellm.ts';
import { llmPrices } from '../../../../coordinator/ingest/tokens/llm-prices.ts';
import { modelsDev } from '../../../../coordinator/ingest/tokens/models-dev.ts';
import { openrouterModels } from '../../../../coordinator/ingest/tokens/openrouter-models.ts';
import { openrouterRankings } from '../../../../coordinator/ingest/tokens/openrouter-rankings.ts';
import type { TokenConnector, TokenRefusal } from '../../../../coordinator/ingest/tokens/token-connector.ts';
import { withoutShared } from '../read-source.ts';
import { rawJson, readSharedTokens } from './read-tokens.ts';
import { realTokenFiles } from '../real-files.ts';

/** Rows that are expected to be refused, by reason, counted over the plain JSON. */
type Counts = { read: number; refused: Partial<Record<TokenRefusal, number>> };

const day = '2026-08-22';

const plain = (counts: Partial<Record<TokenRefusal, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));

/** Every file through its connector against the count of the test. */
async function compared(
  connector: TokenConnector,
  paths: readonly string[],
  count: (path: string) => Counts,
  say: (line: string) => void,
): Promise<void> {
  for (const path of paths) {
    const { tally, rowsKept, refused, prices, usage } = await readSharedTokens(connector, path, day);
    const expected = count(path);
    assert.equal(tally.rowsRead, expected.read, path);
    assert.deepEqual(refused, plain(expected.refused), path);
    const gone = Object.values(refused).reduce((sum, rows) => sum + rows, 0);
    // Counts of usage are kept without a model as well.
    const unmatched = usage.length > 0 ? 0 : tally.unmatched.reduce((sum, { rows }) => sum + rows, 0);
    assert.equal(rowsKept + gone + unmatched, expected.read, path);
    assert.equal(usage.length > 0 ? usage.length : prices.length, rowsKept, path);
    say(`${path}: ${expected.read} read, ${rowsKept} kept, ${gone} refused, ${unmatched} without a model`);
  }
}

const isPrice = (said: unknown): boolean => said !== undefined && said !== null;

describe('the publishers’ files: what is read, kept and refused for each reason', { skip: withoutShared }, () => {
  test('OpenRouter, models', async (t) => {
    type File = {
      data: { id: string; architecture: { tokenizer: string }; pricing: { prompt?: string; completion?: string } }[];
    };
    const count = (path: string): Counts => {
      const { data } = rawJson(path) as File;
      const moving = data.filter(
        ({ id, architecture, pricing }) =>
          id[0] === '~' || architecture.tokenizer === 'Router' || Number(pricing.prompt) < 0,
      );
      return { read: data.length, refused: { 'no-fixed-price': moving.length } };
    };
    const { catalogues, olderCatalogues } = realTokenFiles;
    await compared(openrouterModels, [...catalogues, ...olderCatalogues], count, t.diagnostic.bind(t));
    // Counted with jq: rows, and those that are refused.
    assert.deepEqual(olderCatalogues.map(count), [
      { read: 175, refused: { 'no-fixed-price': 1 } },
      { read: 346, refused: { 'no-fixed-price': 12 } },
    ]);
  });

  test('OpenRouter, rankings of a day', async (t) => {
    type File = { data: { model_permaslug: string }[] };
    const count = (path: string): Counts => {
      const { data } = rawJson(path) as File;
      return {
        read: data.length,
        refused: { 'no-model': data.filter((row) => row.model_permaslug.length === 0).length },
      };
    };
    await compared(openrouterRankings, realTokenFiles.rankings, count, t.diagnostic.bind(t));
  });

  test('OpenRouter, rankings of a week are those of no day', async () => {
    for (const date of ['2026-07-31', '2026-08-22'])
      await assert.rejects(
        readSharedTokens(openrouterRankings, `tokens/openrouter/${date}/rankings_models_week.json.gz`, day),
        /has rows of \d days, [-\d]+ to [-\d]+: fetch view=day/,
      );
  });

  test('LiteLLM', async (t) => {
    interface Entry {
      mode?: string;
      litellm_provider?: string;
      input_cost_per_token?: number;
      output_cost_per_token?: number;
    }
    const count = (path: string): Counts => {
      const all = Object.entries(rawJson(path) as Record<string, Entry>);
      const samples = all.filter(([name]) => name === 'sample_spec');
      let rest = all.filter(([name]) => name !== 'sample_spec');
      const take = (which: (name: string, entry: Entry) => boolean): number => {
        const before = rest.length;
        rest = rest.filter(([name, entry]) => !which(name, entry));
        return before - rest.length;
      };
      const text = new Set(['chat', 'completion', 'responses']);
      return {
        read: all.length,
        refused: {
          sample: samples.length,
          'other-mode': take((_, { mode }) => mode !== undefined && !text.has(mode)),
          'by-size': take((name) => name.startsWith('together-ai-') || name.startsWith('fireworks-ai-')),
          'own-machine': take((name, entry) => entry.litellm_provider === 'ollama' || name.startsWith('ollama/')),
          'no-price': take((_, entry) => !isPrice(entry.input_cost_per_token) && !isPrice(entry.output_cost_per_token)),
          // W&B's DeepSeek at 0.135 USD a token, among others.
          'bad-price': take(
            (_, entry) => Math.max(entry.input_cost_per_token ?? 0, entry.output_cost_per_token ?? 0) > 0.1,
          ),
        },
      };
    };
    await compared(litellm, realTokenFiles.litellm, count, t.diagnostic.bind(t));
    // Counted apart from this program.
    const [winter, summer] = realTokenFiles.litellm.map((path) => count(path));
    assert.deepEqual([winter?.read, winter?.refused['no-price']], [2433, 119]);
    assert.deepEqual([summer?.read, summer?.refused['no-price']], [2984, 143]);
  });

  test('genai-prices, v1 and v2', async (t) => {
    type Prices = { input_mtok?: unknown; output_mtok?: unknown };
    type Dated = { constraint?: { start_time?: string } | null; prices: Prices };
    type File = { models: { id: string; prices: Prices | Dated[] }[] }[];
    const count = (path: string): Counts => {
      const rows = (rawJson(path) as File)
        .flatMap(({ models }) => models)
        .flatMap(({ id, prices }) =>
          (Array.isArray(prices) ? prices : [{ prices }]).map((row: Dated) => ({ ...row, id })),
        );
      const hours = rows.filter(({ constraint }) => constraint?.start_time !== undefined);
      const moving = rows.filter((row) => !hours.includes(row) && row.id.startsWith('~'));
      const silent = rows.filter(
        (row) =>
          !hours.includes(row) &&
          !moving.includes(row) &&
          !isPrice(row.prices.input_mtok) &&
          !isPrice(row.prices.output_mtok),
      );
      return {
        read: rows.length,
        refused: { 'time-of-day': hours.length, 'no-fixed-price': moving.length, 'no-price': silent.length },
      };
    };
    await compared(genaiPrices, realTokenFiles.genai, count, t.diagnostic.bind(t));
  });

  test('models.dev', async (t) => {
    interface Model {
      modalities?: { output?: string[] };
      cost?: { input?: number; output?: number };
    }
    for (const path of realTokenFiles.modelsDev) {
      const all = Object.values(rawJson(path) as Record<string, { models: Record<string, Model> }>).flatMap((one) =>
        Object.values(one.models),
      );
      const others = all.filter(({ modalities }) => modalities?.output && !modalities.output.includes('text'));
      const priced = all.filter(
        (one) => !others.includes(one) && (isPrice(one.cost?.input) || isPrice(one.cost?.output)),
      );
      const { tally, rowsKept, refused, prices } = await readSharedTokens(modelsDev, path, day);
      // The publisher counts 5,751 models.
      assert.equal(all.length, 5751);
      assert.equal(tally.rowsRead, 5751);
      assert.deepEqual(refused, { 'other-mode': others.length });
      const unmatched = tally.unmatched.reduce((sum, { rows }) => sum + rows, 0);
      assert.equal(rowsKept + others.length + unmatched, 5751);
      assert.ok(prices.length > 1500 && prices.length <= priced.length);
      t.diagnostic(
        `${path}: 5751 read, ${rowsKept} kept, ${others.length} refused, ${unmatched} without a model or seller`,
      );
    }
  });

  test('llm-prices', async (t) => {
    type File = { models: { id: string; name: string; price_history: object[] }[] };
    const count = (path: string): Counts => {
      const rows = (rawJson(path) as File).models.flatMap(({ name, price_history }) => price_history.map(() => name));
      return { read: rows.length, refused: { 'upper-tier': rows.filter((name) => / >\d+k$/.test(name)).length } };
    };
    await compared(llmPrices, realTokenFiles.vendors, count, t.diagnostic.bind(t));
  });

  test('every price of OpenRouter is a millionth of the kept one', async () => {
    type File = { data: { id: string; canonical_slug: string; pricing: Record<string, string> }[] };
    for (const path of realTokenFiles.catalogues) {
      const { prices } = await readSharedTokens(openrouterModels, path, day);
      const byId = new Map((rawJson(path) as File).data.map((one) => [one.id, one]));
      for (const { raw, price_input, price_output, permaslug } of prices) {
        const said = byId.get(String(raw['id'])) ?? assert.fail(String(raw['id']));
        assert.equal(permaslug, said.canonical_slug);
        // Shifted by six places as text.
        assert.equal(price_input, shifted(said.pricing['prompt'] ?? ''), said.id);
        assert.equal(price_output, shifted(said.pricing['completion'] ?? ''), said.id);
      }
    }
  });
});

/** A plain decimal text times a million, without arithmetic. */
function shifted(text: string): string {
  const [whole = '0', decimals = ''] = text.split('.');
  const digits = decimals.padEnd(6, '0');
  const before = `${whole}${digits.slice(0, 6)}`.replace(/^0+(?=\d)/, '');
  const after = digits.slice(6).replace(/0+$/, '');
  return after === '' ? before : `${before}.${after}`;
}
