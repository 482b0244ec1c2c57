import { z } from 'zod';
import { keyed, orderBy, paginate } from './list-body.ts';
import { modelStatus, modelType, sourceType } from './token-prices.ts';
import { day, text } from './wire.ts';

/** Most days of one data view; months are available as files. */
const MOST_DAYS = 90;
const DAY_MS = 86_400_000;
/** Most characters of a JSON parameter. */
const MOST_QUERY = 4096;

const ofModel = {
  developer: text(200, 1),
  model_name: text(200, 1),
  model_type: modelType,
  model_status: modelStatus,
};
const ofDays = { date: day, start_date: day, end_date: day };
const ofSeller = { source_id: text(200, 1), source_type: sourceType };

const DESCRIPTION =
  'one key each; developer, model_name and source_id: part of it, upper and lower case are the same. A repeated key means any of its values, different keys mean all.';
const DAYS = `date, or start_date and end_date (at most ${MOST_DAYS} days apart); without: the newest day`;

interface AskedDates {
  date?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
}

/** The days that a filter names; null if it names no day. The filter has passed `checkDates`. */
export function daysOf(filter: readonly AskedDates[]): string[] | null {
  const dates = filter.flatMap(({ date }) => date ?? []);
  const first = filter.find(({ start_date }) => start_date !== undefined)?.start_date;
  const last = filter.find(({ end_date }) => end_date !== undefined)?.end_date;
  if (first === undefined || last === undefined) return dates.length > 0 ? [...new Set(dates)] : null;
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, at) => new Date(Date.parse(first) + at * DAY_MS).toISOString().slice(0, 10));
}

function checkDates(filter: readonly AskedDates[], context: z.core.$RefinementCtx): void {
  const said = (key: keyof AskedDates): string[] => filter.flatMap((entry) => entry[key] ?? []);
  const [starts, ends] = [said('start_date'), said('end_date')];
  const issue = (key: keyof AskedDates, message: string): void =>
    context.addIssue({ code: 'custom', path: [key], message });
  if (starts.length === 0 && ends.length === 0) return;
  if (said('date').length > 0) return issue('date', 'cannot be given beside start_date and end_date');
  const [start, end] = [starts[0], ends[0]];
  if (start === undefined || starts.length > 1) return issue('start_date', 'must be given once beside end_date');
  if (end === undefined || ends.length > 1) return issue('end_date', 'must be given once beside start_date');
  const apart = (Date.parse(end) - Date.parse(start)) / DAY_MS;
  if (apart < 0) issue('end_date', 'must not be before start_date');
  if (apart > MOST_DAYS)
    issue('end_date', `must be at most ${MOST_DAYS} days after start_date; files hold whole months`);
}

const bookFilter = keyed({ ...ofModel, ...ofSeller, ...ofDays })
  .superRefine(checkDates)
  .meta({ description: `${DESCRIPTION} ${DAYS}` });
const pulseFilter = keyed({ ...ofModel, ...ofDays })
  .superRefine(checkDates)
  .meta({ description: `${DESCRIPTION} ${DAYS}` });
const trendFilter = keyed(ofModel).meta({ description: DESCRIPTION });

const modelColumns = ['developer', 'model_name', 'model_type', 'model_status'] as const;
export const bookOrder = [
  'date',
  ...modelColumns,
  'total_param',
  'active_param',
  'context_length',
  'price_input',
  'price_output',
  'price_cached_input',
  'source_id',
  'source_type',
] as const;
export const pulseOrder = [
  'date',
  ...modelColumns,
  'volume_input_index',
  'volume_output_index',
  'price_input',
  'price_output',
  'avg_price_input',
  'avg_price_output',
  'med_price_input',
  'med_price_output',
] as const;

export const bookPreviewRequest = z
  .object({ filter: bookFilter.default([]), order_by: orderBy(bookOrder), paginate })
  .prefault({});
export type BookPreviewRequest = z.output<typeof bookPreviewRequest>;

export const pulsePreviewRequest = z
  .object({ filter: pulseFilter.default([]), order_by: orderBy(pulseOrder), paginate })
  .prefault({});
export type PulsePreviewRequest = z.output<typeof pulsePreviewRequest>;

export const pulseTrendRequest = z
  .object({ filter: trendFilter.default([]), order_by: orderBy(modelColumns), paginate })
  .prefault({});
export type PulseTrendRequest = z.output<typeof pulseTrendRequest>;

/** A field of the body as a query parameter that holds its JSON. */
const inQuery = <T extends z.ZodType>(schema: T, example: string) =>
  z
    .string()
    .max(MOST_QUERY)
    .transform((written, context): unknown => {
      try {
        return JSON.parse(written);
      } catch {
        context.addIssue({ code: 'custom', message: `must be JSON such as ${example}` });
        return z.NEVER;
      }
    })
    .pipe(schema)
    .optional()
    .meta({
      type: 'string',
      maxLength: MOST_QUERY,
      description: 'JSON as in the body, before which it counts',
      example,
    });

export const bookPreviewQuery = z.object({
  filter: inQuery(bookFilter, '[{"developer":"openai"}]'),
  order_by: inQuery(orderBy(bookOrder), '[{"price_input":"asc"}]'),
  pagination: inQuery(paginate, '{"num_per_page":50,"page_num":1}'),
});
export type BookPreviewQuery = z.output<typeof bookPreviewQuery>;
