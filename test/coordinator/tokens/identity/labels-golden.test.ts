import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { identifyModel } from '../../../../coordinator/tokens/identity/identify-model.ts';
import { rawJson } from '../../ingest/tokens/read-tokens.ts';
import { realTokenFiles } from '../../ingest/real-files.ts';
import { withoutShared } from '../../ingest/read-source.ts';
import { realLabels, type RealLabel } from './real-labels.ts';

const path = new URL('labels.golden.tsv', import.meta.url);
const HEAD = `# What every label of the publishers' files means: a model and an offer, then the labels, each behind its source and seller.
# Reviewed by hand: if this and the code differ, one of them is wrong.
`;

/** Short words for the sources, so that a model and its labels go on a line. */
const short: Record<string, string> = {
  'openrouter-models': 'or',
  litellm: 'll',
  'genai-prices': 'gp',
  'models-dev': 'md',
  'llm-prices': 'lp',
};
const long: Record<string, string> = Object.fromEntries(Object.entries(short).map(([name, word]) => [word, name]));

function meaning({ source, provider, label }: RealLabel): string {
  const found = identifyModel({ source, label, provider });
  return found === null ? 'unmatched' : `${found.model}|${found.variant}`;
}

const cell = ({ source, provider, label }: RealLabel): string => `${short[source]} ${provider ?? '-'} ${label}`;

function labelOf(text: string): RealLabel {
  const [source = '', provider = '', ...label] = text.split(' ');
  return { source: long[source] ?? source, provider: provider === '-' ? null : provider, label: label.join(' ') };
}

const decided = (): Map<string, string> =>
  new Map(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) => {
        const [means = '', ...cells] = line.split('\t');
        return cells.map((text): [string, string] => [text, means]);
      }),
  );

describe('labels of the publishers’ files', () => {
  if (process.env['UPDATE_GOLDEN'] === '1')
    test('are written down', async () => {
      const lines = Map.groupBy(await realLabels(), meaning);
      const text = [...lines]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([means, all]) => [means, ...all.map(cell)].join('\t'));
      writeFileSync(path, `${HEAD}${text.join('\n')}\n`);
    });

  test('mean the model and the offer that was decided, or none', () => {
    const labels = decided();
    assert.ok(labels.size > 4400, `${labels.size} labels`);
    const differences = [...labels].flatMap(([text, means]) => {
      const ours = meaning(labelOf(text));
      return ours === means ? [] : [`${text}: ${ours}, not ${means}`];
    });
    assert.deepEqual(differences, []);
  });

  test('are all decided', { skip: withoutShared }, async () => {
    const labels = decided();
    const missing = (await realLabels()).map(cell).filter((text) => !labels.has(text));
    assert.deepEqual(missing, []);
  });

  test(
    'of OpenRouter: two permanent slugs are one item only if the developer sells them as one',
    { skip: withoutShared },
    () => {
      const items = new Map<string, Set<string>>();
      for (const file of realTokenFiles.catalogues)
        for (const { id, canonical_slug: slug } of (rawJson(file) as { data: { id: string; canonical_slug: string }[] })
          .data) {
          const offer = /:.*$/.exec(id)?.[0] ?? '';
          const found = identifyModel({
            source: 'openrouter-models',
            label: `${slug}${offer}`,
            provider: 'openrouter',
          });
          if (!found) continue;
          const item = `${found.model}|${found.variant}`;
          items.set(item, (items.get(item) ?? new Set()).add(slug));
        }
      const shared = [...items]
        .filter(([, slugs]) => slugs.size > 1)
        .map(([item, slugs]) => `${item}: ${[...slugs].toSorted().join(' ')}`);
      assert.deepEqual(shared.toSorted(), [
        'openai/gpt-4o-mini|standard: openai/gpt-4o-mini openai/gpt-4o-mini-2024-07-18',
        'openai/gpt-4o|standard: openai/gpt-4o openai/gpt-4o-2024-08-06',
      ]);
    },
  );

  test('that mean nothing have less than 1 % of the tokens of all days', { skip: withoutShared }, (t) => {
    let [all, lost] = [0, 0];
    const labels = new Set<string>();
    for (const file of realTokenFiles.rankings) {
      interface Row {
        model_permaslug: string;
        total_prompt_tokens: number;
        total_completion_tokens: number;
      }
      for (const row of (rawJson(file) as { data: Row[] }).data) {
        const tokens = row.total_prompt_tokens + row.total_completion_tokens;
        all += tokens;
        const label = row.model_permaslug;
        if (identifyModel({ source: 'openrouter-rankings', label, provider: 'openrouter' }) !== null) continue;
        lost += tokens;
        labels.add(label === '' ? '(empty)' : label);
      }
    }
    t.diagnostic(
      `${lost} of ${all} tokens unmatched (${((100 * lost) / all).toFixed(9)} %): ${[...labels].join(', ')}`,
    );
    assert.ok(all > 2e14 && lost / all < 0.01);
  });
});
