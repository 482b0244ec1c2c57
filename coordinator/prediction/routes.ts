import { predictRoute, rentOrBuyRoute, specsListRoute, type Prediction } from '../contract/prediction.ts';
import type { HotMarket } from '../market/hot-market.ts';
import { Cache } from '../platform/cache.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { hotModel } from './hot-model.ts';
import { listSpecs } from './list-specs.ts';
import { predict } from './predict.ts';
import { rentOrBuy } from './rent-or-buy.ts';

/** Predicted prices, in the dialect `envelope`; the market and the model are in memory. */
export function predictionArea(platform: Platform, market: () => Promise<HotMarket>): Area {
  const area = createArea(platform, 'envelope');
  const model = hotModel(platform);
  const isPopular = askedAgain();
  area.on(predictRoute, async (_, { body }) => {
    const [products, serving] = await Promise.all([market(), model()]);
    const answer = (): Prediction => predict(products, serving, body);
    return isPopular(JSON.stringify(body)) ? serving.answersWith(products)('predict', body, answer) : answer();
  });
  area.on(specsListRoute, async () => {
    const [products, serving] = await Promise.all([market(), model()]);
    return serving.answersWith(products)('specs-list', {}, () => listSpecs(products, serving));
  });
  area.on(rentOrBuyRoute, async (context, { body }) => {
    const [products, serving] = await Promise.all([market(), model()]);
    return rentOrBuy(context, { market: products, model: serving }, body);
  });
  return area;
}

/** As many as the cache of answers keeps. */
const MOST_ASKED = 1000;

/**
 * Whether a question is among the last ones already. Making an answer takes 10 us, and keeping it costs the garbage collector
 * more: caching pays only for questions that are repeated.
 */
function askedAgain(): (question: string) => boolean {
  const asked = new Cache<string, true>(MOST_ASKED);
  return (question) => {
    if (asked.get(question)) return true;
    asked.set(question, true);
    return false;
  };
}
