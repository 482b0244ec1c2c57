import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openrouterRankings } from '../../../../coordinator/ingest/tokens/openrouter-rankings.ts';
import { readTokens } from './read-tokens.ts';
import { catalogue } from './trap-files.ts';

describe('volumes', () => {
  const row = (
    permaslug: string,
    variant: string,
    prompt: number,
    completion: number,
    date = '2026-08-09 00:00:00',
  ) => ({
    date,
    model_permaslug: permaslug,
    variant,
    total_prompt_tokens: prompt,
    total_completion_tokens: completion,
    total_native_tokens_cached: 0,
  });

  test('of the page that was fetched on day D are of D-1, as its rows say', async () => {
    const read = await readTokens(openrouterRankings, catalogue(row('z-ai/glm-5.2-20260616', 'free', 5, 7)), {
      day: '2026-08-10',
    });
    assert.deepEqual(read.usage, [
      {
        day: '2026-08-09',
        row: 1,
        permaslug: 'z-ai/glm-5.2-20260616',
        variant: 'free',
        model: 'z-ai/glm-5.2',
        tokens_total: '12',
        tokens_input: '5',
        tokens_output: '7',
      },
    ]);
  });

  test('are refused as a whole if the page has several days or a day in the future', async () => {
    const week = catalogue(
      row('openai/o1', 'standard', 1, 1),
      row('openai/o3', 'standard', 1, 1, '2026-08-08 00:00:00'),
    );
    await assert.rejects(readTokens(openrouterRankings, week), /has rows of 2 days, 2026-08-08 to 2026-08-09/);
    const ahead = catalogue(row('openai/o1', 'standard', 1, 1));
    await assert.rejects(
      readTokens(openrouterRankings, ahead, { day: '2026-08-08' }),
      /has rows of 2026-08-09, after the day it was read on \(2026-08-08\)/,
    );
  });

  test('of the official dataset are whole numbers as text, of many days, with the rest as other and without a split', async () => {
    const daily = (date: string, model_permaslug: string, total_tokens: string) => ({
      date,
      model_permaslug,
      total_tokens,
    });
    const read = await readTokens(openrouterRankings, {
      data: [
        daily('2026-05-11', 'openai/gpt-4o-2024-05-13', '9007199254740993'),
        daily('2026-05-11', 'other', '55'),
        daily('2026-05-12', 'openai/gpt-4o-2024-05-13', '12'),
      ],
      meta: { as_of: '2026-05-12T02:00:00Z', version: 'v1' },
    });
    assert.deepEqual(
      read.usage.map(({ day, permaslug, model, tokens_total, tokens_input, tokens_output }) => [
        day,
        permaslug,
        model,
        tokens_total,
        tokens_input,
        tokens_output,
      ]),
      [
        ['2026-05-11', 'openai/gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13', '9007199254740993', null, null],
        ['2026-05-11', 'other', null, '55', null, null],
        ['2026-05-12', 'openai/gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13', '12', null, null],
      ],
    );
    assert.deepEqual(read.unmatched, []);
  });

  test('of an item twice or of no item are refused; of an unknown one counted, and its label is listed', async () => {
    const read = await readTokens(
      openrouterRankings,
      catalogue(
        row('openai/o1', 'standard', 1, 1),
        row('openai/o1', 'standard', 2, 2),
        row('', 'standard', 0, 0),
        row('openrouter/body', 'standard', 3, 4),
      ),
    );
    assert.deepEqual(read.refused, { repeated: 1, 'no-model': 1 });
    assert.deepEqual(
      read.usage.map(({ permaslug, model, tokens_total }) => [permaslug, model, tokens_total]),
      [
        ['openai/o1', 'openai/o1', '2'],
        ['openrouter/body', null, '7'],
      ],
    );
    assert.deepEqual(read.unmatched, ['openrouter: openrouter/body']);
  });

  test('that are not whole numbers make the file none of this format', async () => {
    for (const bad of [1.5, -1, null, '12 '])
      await assert.rejects(
        readTokens(openrouterRankings, catalogue({ ...row('openai/o1', 'standard', 1, 1), total_prompt_tokens: bad })),
        /is not of this format: data\[0\]/,
      );
  });
});
