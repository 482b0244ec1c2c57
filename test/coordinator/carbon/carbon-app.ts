import { ensureCarbon } from '../../../coordinator/carbon/store-editions.ts';
import { marketApp, type MarketApp } from '../market/filled-market.ts';

export interface CarbonApp extends MarketApp {
  /** status, `meta` and `data` of an answer of `/api/data-hub/carbon/` */
  carbon: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<CarbonAnswer>;
}

export interface CarbonAnswer {
  status: number;
  meta: { code: number; message: string };
  // Tests read into answers of any operation; the shape is what they assert.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

/** The coordinator with the catalogue and the carbon tables that come with it, and somebody with a subscription. */
export async function carbonApp(lifetime: Parameters<typeof marketApp>[0]): Promise<CarbonApp> {
  const app = await marketApp(lifetime);
  await ensureCarbon(app.context);
  return {
    ...app,
    carbon: async (method, path, body) => {
      const { status, body: answered } = await app.ask(method, `/api/data-hub/carbon/${path}`, body);
      return { status, ...(answered as Omit<CarbonAnswer, 'status'>) };
    },
  };
}
