import type { PulseTrend, PulseRow } from '../contract/token-prices.ts';
import type { PulseTrendRequest } from '../contract/token-views.ts';
import { filterOf, orderOf, viewOf, type Results } from './data-view.ts';
import type { HotTokens } from './hot-tokens.ts';
import { pulseSchemaOn } from '../contract/pulse-schema.ts';

/** The latest 30 days by model, each model described as on its newest day among them. */
export const pulseTrend = (hot: HotTokens, request: PulseTrendRequest): Promise<Results<PulseTrend>> =>
  hot.trends('pulse/trend', request, () => {
    const models = [...Map.groupBy(hot.pulse, ({ model }) => model).values()].map(withDays).toSorted(byName);
    const { total, results } = viewOf(models, filterOf(request.filter), orderOf(request.order_by), request.paginate);
    return { total, results: results.map(trendOf) };
  });

interface ModelDays extends Pick<PulseFigures, 'developer' | 'model_name' | 'model_type' | 'model_status' | 'model'> {
  /** the newest first */
  days: PulseFigures[];
}

function withDays(days: PulseFigures[]): ModelDays {
  const [newest] = days;
  if (newest === undefined) throw new RangeError('a model without days');
  const { developer, model_name, model_type, model_status, model } = newest;
  return { developer, model_name, model_type, model_status, model, days };
}

const trendOf = ({ developer, model_name, model_type, model_status, days }: ModelDays): PulseTrend => ({
  developer,
  model_name,
  model_type,
  model_status,
  trend: days.toReversed().map(pulseRowOf),
});

const nameOf = ({ developer, model_name, model }: ModelDays): string[] => [developer, model_name, model];

function byName(a: ModelDays, b: ModelDays): number {
  const [left, right] = [nameOf(a), nameOf(b)];
  const at = left.findIndex((text, index) => text !== right[index]);
  return at < 0 ? 0 : (left[at] ?? '') < (right[at] ?? '') ? -1 : 1;
}

/** The pulse of a model on a day as stored, whichever schema its day has. */
export interface PulseFigures {
  date: string;
  model: string;
  developer: string;
  model_name: string;
  model_type: PulseRow['model_type'];
  model_status: PulseRow['model_status'];
  volume_input_index: number | null;
  volume_output_index: number | null;
  avg_price_input: number | null;
  avg_price_output: number | null;
  med_price_input: number | null;
  med_price_output: number | null;
  /** sellers behind the means and medians, each with one price */
  sellers: number;
  /** counts of the source, one for each item, that the volumes sum up; null if not stored for this row */
  volume_counts: number | null;
  is_estimated: boolean;
}

/** In the schema in force on its date: `price_input` of the first schema is `avg_price_input` of the second, likewise output. */
export function pulseRowOf(figures: PulseFigures): PulseRow {
  const { date, developer, model_name, model_type, model_status, volume_input_index, volume_output_index } = figures;
  const head = { date, developer, model_name, model_type, model_status, volume_input_index, volume_output_index };
  const { avg_price_input, avg_price_output, med_price_input, med_price_output, is_estimated } = figures;
  return pulseSchemaOn(date) === 'first'
    ? { ...head, price_input: avg_price_input, price_output: avg_price_output, is_estimated }
    : { ...head, avg_price_input, avg_price_output, med_price_input, med_price_output, is_estimated };
}

const storedNames: Record<string, string> = { price_input: 'avg_price_input', price_output: 'avg_price_output' };

/** The stored name of a column, which rows of both schemas have. */
export const storedColumn = (column: string): string => storedNames[column] ?? column;
