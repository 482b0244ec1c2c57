import assert from 'node:assert/strict';
import { fillMarket } from '../../../coordinator/commands/open-platform.ts';
import type { Connector } from '../../../coordinator/ingest/connector.ts';
import { ingestSource, type SourceReport } from '../../../coordinator/ingest/ingest-source.ts';
import { explainPrice, type Explanation } from '../../../coordinator/market/explain-price.ts';
import { selectNamedProduct } from '../../../coordinator/market/queries/explain.ts';
import { testApp, type TestApp } from '../../support/app.ts';
import { call, makeUser, signInAgain } from '../../support/client.ts';

interface Lifetime {
  after: (done: () => Promise<void>) => void;
}

export interface MarketApp extends TestApp {
  /** `data` of an answer with 200 */
  post: (path: string, body?: unknown) => Promise<Record<string, unknown>>;
  /** of a slug of the catalogue */
  productId: (slug: string) => Promise<number>;
  /** all that stands behind a product's prices of a day */
  explain: (slug: string, day: string) => Promise<Explanation>;
  /** status and whole body */
  ask: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;
  ingest: (
    connector: Connector,
    place: string,
    given?: {
      asOf?: string;
      provider?: string;
      again?: boolean;
      acceptCoverageDrop?: boolean;
      unitChangedOn?: string[];
    },
  ) => Promise<SourceReport[]>;
}

/** A login lasts an hour. */
const HALF_AN_HOUR_MS = 1_800_000;

/** The coordinator with the catalogue and the providers that come with it, and somebody who may read. */
export async function marketApp(
  lifetime: Lifetime,
  options: Parameters<typeof testApp>[1] = {},
  user: Parameters<typeof makeUser>[1] = {},
): Promise<MarketApp> {
  const app = await testApp(lifetime, options);
  await fillMarket(app.context);
  const caller = await makeUser(app, user);
  let signedInAt = app.clock.now().getTime();
  const ask: MarketApp['ask'] = async (method, path, body) => {
    if (app.clock.now().getTime() - signedInAt > HALF_AN_HOUR_MS) {
      signedInAt = app.clock.now().getTime();
      await signInAgain(app, caller);
    }
    const { status, body: answered } = await call(app, method, path, { headers: caller.authorization, body });
    return { status, body: answered };
  };
  const productId: MarketApp['productId'] = async (slug) => {
    const found = await selectNamedProduct(app.platform.sql, slug);
    return found?.product_id ?? assert.fail(slug);
  };
  return {
    ...app,
    ask,
    productId,
    explain: async (slug, day) => {
      const asked = { productId: await productId(slug), day, priceType: null, country: null };
      return explainPrice(app.platform.sql, asked, { limit: 10_000, offset: 0 });
    },
    post: async (path, body) => {
      const { status, body: answered } = await ask('POST', path, body);
      assert.equal(status, 200, JSON.stringify(answered));
      return (answered as { data: Record<string, unknown> }).data;
    },
    ingest: async (
      connector,
      place,
      { asOf = null, provider = null, again = false, acceptCoverageDrop = false, unitChangedOn = [] } = {},
    ) => {
      const reports: SourceReport[] = [];
      const read = {
        connector,
        place,
        asOf: asOf ?? null,
        provider: provider ?? null,
        again,
        acceptCoverageDrop,
        unitChangedOn,
        allowPrivateAddresses: true,
      };
      for await (const report of ingestSource(app.context, read, () => undefined)) reports.push(report);
      return reports;
    },
  };
}
