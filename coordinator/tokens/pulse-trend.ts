import type { PulseTrend } from '../contract/token-prices.ts';
import type { PulseTrendRequest } from '../contract/token-views.ts';
import { filterOf, orderOf, viewOf, type Results } from './data-view.ts';
import type { HotTokens } from './hot-tokens.ts';
import { pulseRowOf, type PulseFigures } from './pulse-row.ts';

/** The latest 30 days by model, each under what was known of the model on its newest day among them. */
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
