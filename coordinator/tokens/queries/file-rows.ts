import { PULSE_CHANGED_ON } from '../../contract/pulse-schema.ts';
import type { TokenFileType } from '../../contract/token-files.ts';
import { csvTextOf } from '../../platform/archive/csv-text.ts';
import { copyOut } from '../../platform/db/driver/copy.ts';
import type { Queryable, Transaction } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';
import { columnsOf, type TokenPart } from '../token-part.ts';

const tables = { book: 'token_book', pulse: 'token_pulse' } as const;

/** The rows of a file as CSV with a header, in a deterministic order: the oldest day first. */
export function readFileRows(tx: Transaction, part: TokenPart): AsyncGenerator<Buffer, void> {
  const columns = columnsOf(part).map((name) => `${expressions[part.type][name] ?? `f.${name}`} as "${name}"`);
  const bySource = part.type === 'book' ? 'f.source_id collate "C", ' : '';
  // COPY takes no parameters. The statement contains only days and names that we generate.
  const statement = `copy (select ${columns.join(', ')}
    from ${tables[part.type]} f join ${models(part)} using (day, model)
    where f.${within(part)}
    order by f.day, m.developer_order collate "C", m.name_order collate "C", ${bySource}f.model collate "C") to stdout with (format csv, header)`;
  return copyOut(tx.unsafe(statement));
}

/** Days of a type that have rows. */
export async function selectStoredDays(
  sql: Queryable,
  type: TokenFileType,
  from: string,
  to: string,
): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select distinct day::text from ${sql(tables[type])} where day between ${from} and ${to} order by day`;
  return rows.map(({ day }) => day);
}

/** Without `volume_counts`, which is in no file: a row in which only that differs does not rebuild one. */
const hashed = {
  book: 'f',
  pulse: `row(f.day, f.model, f.volume_input_index, f.volume_output_index, f.avg_price_input, f.avg_price_output,
    f.med_price_input, f.med_price_output, f.sellers, f.is_estimated)`,
} as const;

/**
 * Sums of hashes of all rows of the period, independent of their order: rows of the book and the pulse are derived again and
 * again, mostly with the same result.
 */
export async function selectFileFingerprint(sql: Queryable, { type, period }: TokenPart): Promise<string> {
  const { firstDay, lastDay } = period;
  const row = one(
    await sql<{ fingerprint: string }[]>`
    select concat_ws(' ',
      (select concat_ws(' ', count(*), sum(hash_record_extended(${sql.unsafe(hashed[type])}, 0)))
        from ${sql(tables[type])} f where day between ${firstDay} and ${lastDay}),
      (select concat_ws(' ', count(*), sum(hash_record_extended(m, 0)))
        from token_model_day m where day between ${firstDay} and ${lastDay})) as fingerprint`,
  );
  return row.fingerprint;
}

const within = ({ period }: TokenPart): string => `day between '${period.firstDay}' and '${period.lastDay}'`;

/** Computes a model's texts once for each day, not for each of its sellers; `offset 0` keeps the planner from inlining it. */
const models = (part: TokenPart): string => `(
    select day, model, ${csvTextOf('developer')} as developer, ${csvTextOf('model_name')} as model_name, model_type, model_status,
      trim_scale(total_param) as total_param, trim_scale(active_param) as active_param, context_length,
      developer as developer_order, model_name as name_order
    from token_model_day where ${within(part)} offset 0) m`;

const plain = (name: string): [string, string] => [name, `trim_scale(f.${name})`];
const before = (name: string, stored: string): [string, string] => [
  name,
  `case when f.day < '${PULSE_CHANGED_ON}' then trim_scale(f.${stored}) end`,
];
const since = (name: string): [string, string] => [
  name,
  `case when f.day >= '${PULSE_CHANGED_ON}' then trim_scale(f.${name}) end`,
];
const ofModel = [
  'developer',
  'model_name',
  'model_type',
  'model_status',
  'total_param',
  'active_param',
  'context_length',
].map((name): [string, string] => [name, `m.${name}`]);

/** The SQL of a file's column, if it is not simply the table's column. */
const expressions: Record<TokenFileType, Record<string, string>> = {
  book: Object.fromEntries([
    ['date', 'f.day'],
    ...ofModel,
    ...['price_input', 'price_output', 'price_cached_input'].map(plain),
    ['source_id', csvTextOf('f.source_id')],
  ]),
  pulse: Object.fromEntries([
    ['date', 'f.day'],
    ...ofModel,
    ...['volume_input_index', 'volume_output_index'].map(plain),
    before('price_input', 'avg_price_input'),
    before('price_output', 'avg_price_output'),
    ...['avg_price_input', 'avg_price_output', 'med_price_input', 'med_price_output'].map(since),
    ['is_estimated', 'f.is_estimated::text'],
  ]),
};
