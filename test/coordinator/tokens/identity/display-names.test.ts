import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { identifyModel } from '../../../../coordinator/tokens/identity/identify-model.ts';
import { sellerNamed } from '../../../../coordinator/tokens/sellers.ts';
import { withoutShared } from '../../ingest/read-source.ts';
import { rawJson } from '../../ingest/tokens/read-tokens.ts';
import { modelsDevNames, realLabels } from './real-labels.ts';

/** Differences that were looked at: what differs, then why it is right. */
const reviewed = new Set(
  readFileSync(new URL('display-names.reviewed.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [difference = '', why = ''] = line.split('\t');
      assert.ok(why.length > 10, `${difference}: without a reason`);
      return difference;
    }),
);

/** Words that name the developer, the format of the weights or what every chat model is. */
const EMPTY = new Set(
  (
    'instruct it fp8 bf16 nvfp4 ai anthropic openai google meta mistral mistralai deepseekai moonshotai z.ai zai minimaxai minimax ' +
    'xai nvidia qwen alibaba cohere amazon microsoft'
  ).split(' '),
);

/** A name's words, however they are put together: `Claude 3 Haiku` and `claude-haiku-3` have the same. */
function wordsOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\((?!.*(think|reason|turbo|older))[^)]*\)/g, ' ')
    .replaceAll(/[()]/g, ' ')
    .replace(/^[^:]{1,40}: /, '')
    .replace(/^.*\//, '')
    .replaceAll(/[-_\s]+/g, ' ')
    .replaceAll(/([a-z])(?=\d)|(\d)(?=[a-z])/g, '$& ')
    .replaceAll(/(\d)\.0(?=\s|$)/g, '$1')
    .split(' ')
    .filter((word) => word !== '' && !EMPTY.has(word))
    .toSorted()
    .join(' ');
}

interface Named {
  label: string;
  words: string;
  model: string;
}

/** What models.dev names and we keep: text models of sellers in the table. */
const named = (): Named[] =>
  modelsDevNames().flatMap(({ provider, label, name }): Named[] => {
    const found = sellerNamed(provider) && identifyModel({ source: 'models-dev', label, provider });
    return found ? [{ label: `${provider}:${label}`, words: wordsOf(name), model: found.model }] : [];
  });

/** `what is one: the several that it should not be`, for those of which there are several. */
function several(of: readonly Named[], one: 'words' | 'model', other: 'words' | 'model'): string[] {
  return [...Map.groupBy(of, (row) => row[one])].flatMap(([key, rows]) => {
    const all = [...new Set(rows.map((row) => row[other]))].toSorted();
    return all.length > 1 ? [`${one === 'words' ? 'name' : 'model'} ${key}: ${all.join(', ')}`] : [];
  });
}

describe('labels against the names that models.dev shows for them', { skip: withoutShared }, () => {
  test('a name is one model and a model has one name, but for the differences that were reviewed', (t) => {
    const all = named();
    assert.ok(all.length > 1900, `${all.length} labels`);
    const differences = [...several(all, 'words', 'model'), ...several(all, 'model', 'words')].toSorted();
    t.diagnostic(`${all.length} labels of models.dev compared, ${differences.length} differences, all reviewed`);
    assert.deepEqual(
      differences.filter((one) => !reviewed.has(one)),
      [],
    );
    assert.deepEqual(
      [...reviewed].filter((one) => !one.startsWith('label ') && !differences.includes(one)),
      [],
      'reviewed, but no difference any more',
    );
  });

  test('a label of another file that consists of the words of a name means the model of that name', async (t) => {
    const models = Map.groupBy(named(), ({ words }) => words);
    let compared = 0;
    const differences = (await realLabels()).flatMap(({ source, provider, label }): string[] => {
      if (source === 'models-dev' || (provider !== null && !sellerNamed(provider))) return [];
      const found = identifyModel({ source, label, provider });
      const meant = models.get(wordsOf(label.replace(/@default$|:.*$/, '')));
      if (!found || !meant) return [];
      compared += 1;
      if (meant.some(({ model }) => model === found.model)) return [];
      return [`label ${source} ${provider} ${label}: ${found.model}, not ${meant[0]?.model}`];
    });
    t.diagnostic(`${compared} labels of the other files compared, ${differences.length} differences, all reviewed`);
    assert.ok(compared > 1500, `${compared} labels`);
    assert.deepEqual(
      differences.filter((one) => !reviewed.has(one)),
      [],
    );
  });
});

test('one model under two names is one, and two under one are two', { skip: withoutShared }, () => {
  type Case = Record<string, { models: Record<string, unknown> }>;
  const found = Object.entries(rawJson('cases/models-dev-wrong-merge-and-splits.2026-07-27.json') as Case).flatMap(
    ([provider, { models }]) =>
      Object.keys(models).map((label) => [
        `${provider} ${label}`,
        identifyModel({ source: 'models-dev', label, provider })?.model,
      ]),
  );
  assert.deepEqual(Object.fromEntries(found), {
    'amazon-bedrock deepseek.v3-v1:0': 'deepseek/deepseek-v3.1',
    'amazon-bedrock deepseek.v3.2': 'deepseek/deepseek-v3.2',
    'databricks databricks-gpt-5-5': 'openai/gpt-5.5',
    'databricks databricks-gpt-5-4-mini': 'openai/gpt-5.4-mini',
    'databricks databricks-glm-5-2': 'z-ai/glm-5.2',
    'databricks databricks-kimi-k2-7-code': 'moonshotai/kimi-k2.7-code',
    'openai gpt-5.5': 'openai/gpt-5.5',
    'google-vertex-anthropic claude-opus-4-7@default': 'anthropic/claude-opus-4.7',
    'google-vertex-anthropic claude-sonnet-5@default': 'anthropic/claude-sonnet-5',
    'google-vertex claude-opus-4-7@default': 'anthropic/claude-opus-4.7',
    'google-vertex claude-sonnet-5@default': 'anthropic/claude-sonnet-5',
    'anthropic claude-opus-4-7': 'anthropic/claude-opus-4.7',
    'azure grok-4-20-reasoning': 'x-ai/grok-4.20-reasoning',
  });
});
