import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { TokenFile } from '../../../coordinator/contract/token-files.ts';
import { buildTokenArchives } from '../../../coordinator/tokens/files.ts';
import { openedFile } from './opened-file.ts';
import { tokenApp, type SeededModel } from './token-app.ts';

const gpt: Omit<SeededModel, 'day'> = { developer: 'openai', name: 'gpt-x', contextLength: 400_000 };
const qwen: Omit<SeededModel, 'day'> = {
  developer: 'alibaba',
  name: 'qwen, large',
  type: 'open-weight',
  totalParam: '235.0',
  activeParam: '22',
};
const pulse = {
  volume: ['1.50', '0.25'],
  average: ['1.10', '4'],
  median: ['1.0', '3.9'],
} satisfies SeededModel['pulse'];

/** The last two days of the first schema, the first of the second, and one of each neighbouring month. */
const days: SeededModel[] = [
  { ...gpt, day: '2026-06-30', pulse },
  { ...gpt, day: '2026-07-19', book: [{ source: 'openai', type: 'model-lab', input: '1.2500', output: '10' }] },
  {
    ...gpt,
    day: '2026-07-20',
    book: [
      { source: 'openai', type: 'model-lab', input: '1.2500', output: '10', cached: '0.125' },
      { source: 'azure', input: '1.25', output: '10.0' },
    ],
    pulse,
  },
  { ...qwen, day: '2026-07-20', book: [{ source: 'Together', input: '0.2', output: '0.60' }] },
  { ...gpt, day: '2026-07-21', pulse: { ...pulse, isEstimated: true } },
  { ...qwen, day: '2026-07-21', status: 'deprecated', pulse: { volume: ['2', '3'] } },
  { ...gpt, day: '2026-08-01', pulse: { average: ['0.000001', '123456.789'] } },
];

const bookHead =
  'date,developer,model_name,model_type,model_status,total_param,active_param,context_length,price_input,price_output,price_cached_input,source_id,source_type,screened_by';
const pulseHead = 'date,developer,model_name,model_type,model_status,volume_input_index,volume_output_index';
const ofGpt = 'openai,gpt-x,closed-source,active';
const book20 = [
  '2026-07-20,alibaba,"qwen, large",open-weight,active,235,22,,0.2,0.6,,Together,model-platform,',
  `2026-07-20,${ofGpt},,,400000,1.25,10,,azure,model-platform,`,
  `2026-07-20,${ofGpt},,,400000,1.25,10,0.125,openai,model-lab,`,
];

describe('files of token prices', async () => {
  const tokens = await tokenApp({ after }, { now: new Date('2026-08-11T08:00:00Z') });
  await tokens.seed(days);
  const build = async (): Promise<string[]> => {
    const built: string[] = [];
    for await (const { part, outcome } of buildTokenArchives(tokens.context, { from: '2026-01-01', to: '2026-12-31' }))
      if (outcome === 'built') built.push(`${part.type} ${part.period.name}`);
    return built;
  };
  const first = await build();
  const list = (type: string, interval: string, period = '2026/01/01-2026/12/31', more: object = {}) =>
    tokens.post<{ total: number; results: TokenFile[] }>('list', {
      filter: [{ type }, { interval }, { period }],
      ...more,
    });
  const linesOf = async (type: string, interval: string, period: string): Promise<string[]> => {
    const file = (await list(type, interval)).results.find((entry) => entry.period === period);
    return openedFile(tokens, file?.id);
  };

  test('there is a file of every day and month that has rows, and a second build has nothing to do', async () => {
    assert.deepEqual(first, [
      ...['2026-07-19', '2026-07-20', '2026-07'].map((period) => `book ${period}`),
      ...['2026-06-30', '2026-07-20', '2026-07-21', '2026-08-01', '2026-06', '2026-07', '2026-08'].map(
        (period) => `pulse ${period}`,
      ),
    ]);
    assert.deepEqual(await build(), []);
    // No file has these counts, and rows of before they were kept have none.
    await tokens.platform.sql`update token_pulse set volume_counts = 7`;
    assert.deepEqual(await build(), []);
  });

  test('the book of a day and of a month, to the byte', async () => {
    assert.deepEqual(await linesOf('book', 'day', '2026-07-20'), [bookHead, ...book20]);
    assert.deepEqual(await linesOf('book', 'month', '2026-07'), [
      bookHead,
      `2026-07-19,${ofGpt},,,400000,1.25,10,,openai,model-lab,`,
      ...book20,
    ]);
  });

  test('the pulse in the schema in force on its days, to the byte; a month of both has the columns of both', async () => {
    assert.deepEqual(await linesOf('pulse', 'day', '2026-07-20'), [
      `${pulseHead},price_input,price_output,is_estimated`,
      `2026-07-20,${ofGpt},1.5,0.25,1.1,4,false`,
    ]);
    const changed = `${pulseHead},avg_price_input,avg_price_output,med_price_input,med_price_output,is_estimated`;
    assert.deepEqual(await linesOf('pulse', 'day', '2026-07-21'), [
      changed,
      '2026-07-21,alibaba,"qwen, large",open-weight,deprecated,2,3,,,,,false',
      `2026-07-21,${ofGpt},1.5,0.25,1.1,4,1,3.9,true`,
    ]);
    assert.deepEqual(await linesOf('pulse', 'month', '2026-07'), [
      `${pulseHead},price_input,price_output,avg_price_input,avg_price_output,med_price_input,med_price_output,is_estimated`,
      `2026-07-20,${ofGpt},1.5,0.25,1.1,4,,,,,false`,
      '2026-07-21,alibaba,"qwen, large",open-weight,deprecated,2,3,,,,,,,false',
      `2026-07-21,${ofGpt},1.5,0.25,,,1.1,4,1,3.9,true`,
    ]);
    assert.deepEqual(await linesOf('pulse', 'month', '2026-06'), [
      `${pulseHead},price_input,price_output,is_estimated`,
      `2026-06-30,${ofGpt},1.5,0.25,1.1,4,false`,
    ]);
    assert.deepEqual(await linesOf('pulse', 'month', '2026-08'), [
      changed,
      `2026-08-01,${ofGpt},,,0.000001,123456.789,,,false`,
    ]);
  });

  test('the rows of a day’s file are those of the data view', async () => {
    for (const [type, day] of [
      ['book', '2026-07-20'],
      ['pulse', '2026-07-20'],
      ['pulse', '2026-07-21'],
      ['pulse', '2026-08-01'],
    ] as const) {
      const records = parse((await linesOf(type, 'day', day)).join('\n'), { columns: true }) as Record<
        string,
        string
      >[];
      const { results } = await tokens.post<{ results: Record<string, string | number | boolean | null>[] }>(
        `${type}/preview`,
        {
          filter: [{ date: day }],
        },
      );
      assert.ok(results.length > 0);
      const asText = (value: string | number | boolean | null): string => (value === null ? '' : String(value));
      // The smallest number of these is written 1e-6 in JSON.
      const cells = records.map((record) => Object.entries(record).map(([name, cell]) => [name, plain(cell)]));
      const answers = results.map((row) => Object.entries(row).map(([name, value]) => [name, plain(asText(value))]));
      assert.deepEqual(cells, answers, `${type} ${day}`);
    }
  });

  test('the list has the records of the interface, in pages and order; a repeated key means any of its values', async () => {
    const page = await list('pulse', 'day', '2026/07/01-2026/08/31', {
      order_by: [{ period: 'asc' }],
      paginate: { num_per_page: 2, page_num: 1 },
    });
    assert.deepEqual([page.total, page.results.map(({ period }) => period)], [3, ['2026-07-20', '2026-07-21']]);
    const [file] = page.results;
    assert.deepEqual(Object.keys(file ?? {}), ['id', 'sequence_id', 'interval', 'period', 'type', 'csv_s3_path']);
    assert.match(file?.id ?? '', /^\d{19}$/);
    assert.equal(file?.csv_s3_path, 'token-price/pulse/day/2026-07-20.csv.gz');
    assert.deepEqual(
      (await list('pulse', 'month')).results.map(({ period }) => period),
      ['2026-08', '2026-07', '2026-06'],
    );
    // A month counts only if all its days lie within.
    assert.equal((await list('pulse', 'month', '2026/07/02-2026/08/31')).total, 1);
    const several = await tokens.post<{ total: number }>('list', {
      filter: [
        { type: 'book' },
        { type: 'pulse' },
        { interval: 'day' },
        { interval: 'month' },
        { period: '2026/07/20-2026/07/20' },
        { period: '2026/06/01-2026/06/30' },
      ],
    });
    // book and pulse of 20 July; the pulse of June and of its day
    assert.equal(several.total, 4);
  });

  test('download takes the id as a JSON integer of 19 digits', async () => {
    const [file] = (await list('book', 'month')).results;
    const { authorization } = tokens.callers.enterprise;
    const answer = await tokens.app.request('/api/token-price/download', {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: `{"id": ${file?.id ?? ''}}`,
    });
    assert.equal(answer.status, 200);
  });

  test('rows that are derived again to the same are not a reason to build; a changed price or name is', async () => {
    const { sql } = tokens.platform;
    await sql`update token_book set price_input = 1.250 where day = '2026-07-19'`;
    assert.deepEqual(await build(), []);
    await sql`update token_book set price_input = 1.26 where day = '2026-07-19'`;
    assert.deepEqual(await build(), ['book 2026-07-19', 'book 2026-07']);
    await sql`update token_model_day set model_name = '=1+1' where day = '2026-08-01'`;
    assert.deepEqual(await build(), ['pulse 2026-08-01', 'pulse 2026-08']);
    const [, row] = await linesOf('pulse', 'day', '2026-08-01');
    assert.match(row ?? '', /^2026-08-01,openai,'=1\+1,/);
  });
});

test('if one file cannot be stored, what was built stays and the next build makes the rest', async (t) => {
  const tokens = await tokenApp(t, { now: new Date('2026-08-11T08:00:00Z') });
  await tokens.seed(days);
  const { artifacts } = tokens.context;
  let stored = 0;
  const broken: typeof artifacts = {
    ...artifacts,
    put: async (content, object) => {
      stored += 1;
      // The third is being stored while the second is waited for.
      if (stored === 3) throw new Error('the disk is full');
      return artifacts.put(content, object);
    },
  };
  const build = async (context: typeof tokens.context): Promise<string[]> => {
    const outcomes: string[] = [];
    for await (const { outcome } of buildTokenArchives(context, { from: '2026-01-01', to: '2026-12-31' }))
      outcomes.push(outcome);
    return outcomes;
  };
  await assert.rejects(build({ ...tokens.context, artifacts: broken }), /the disk is full/);
  const outcomes = await build(tokens.context);
  assert.equal(outcomes.length, 10);
  const known = outcomes.filter((outcome) => outcome === 'known').length;
  assert.ok(known >= 2 && known < 10, `${known} were there already`);
  assert.deepEqual(new Set(await build(tokens.context)), new Set(['known']));
});

/** A number in one spelling. */
const plain = (cell: string): string => (/^\d[\d.]*(e-\d+)?$/.test(cell) ? String(Number(cell)) : cell);
