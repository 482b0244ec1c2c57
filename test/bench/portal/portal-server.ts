import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { historyPrice } from '../../../coordinator/market/history-price.ts';
import { hotMarket } from '../../../coordinator/market/hot-market.ts';
import { historyPriceRequest } from '../../../coordinator/contract/market.ts';
import { listJobsQuery } from '../../../coordinator/contract/job.ts';
import { selectJobPage } from '../../../coordinator/jobs/listing/queries/jobs.ts';
import { connectDatabase } from '../../../coordinator/platform/db/client.ts';
import { listenForNews } from '../../../coordinator/platform/db/news.ts';
import { findJobPage, selectNodes } from '../../../coordinator/portal/queries/job-page.ts';
import { selectMachines } from '../../../coordinator/portal/queries/machines.ts';
import { benchPlatform, sayPorts, serveApp } from '../coordinator/server-process.ts';

/**
 * The app with the connection that receives change notifications, and bare handlers for comparison: the queries of a
 * page, with its rows as JSON.
 */
const platform = await benchPlatform();
const { sql, config, log } = platform;
listenForNews({
  sql,
  connectDirectly: () =>
    connectDatabase({ url: config.databaseUrl ?? '', max: 1, applicationName: 'gpumark bench news' }),
  log,
  randomBytes,
});
const ours = await serveApp(platform, { processMetrics: false });

const raw: Record<string, (query: URLSearchParams) => Promise<unknown>> = {
  '/jobs': async (query) => {
    const { customer, ...asked } = Object.fromEntries(query);
    return selectJobPage(sql, listJobsQuery.parse({ ...asked, include: ['performance'] }), {
      customerId: customer ?? null,
      cursor: null,
    });
  },
  '/jobs/:id': async (query) => {
    const id = query.get('id') ?? '';
    return Promise.all([findJobPage(sql, { id, customerId: null }), selectNodes(sql, id)]);
  },
  '/machines': async (query) =>
    selectMachines(sql, { customerId: query.get('customer'), limit: 50, offset: 50 * Number(query.get('page') ?? 0) }),
  '/market/:slug': async (query) => {
    const market = await hotMarket(platform)();
    const { product_id, price_type, ...asked } = Object.fromEntries(query);
    const request = historyPriceRequest.parse({
      ...asked,
      product_id: Number(product_id),
      price_type: Number(price_type),
      num_per_page: 100,
      page_num: 1,
    });
    return historyPrice(market, request);
  },
};

const floor = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  void (async () => {
    const content = Buffer.from(JSON.stringify(await raw[decodeURI(pathname)]?.(searchParams)));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': content.length });
    response.end(content);
  })();
});
floor.listen(0, '127.0.0.1', () => {
  const address = floor.address();
  sayPorts({ ours, floor: typeof address === 'object' ? (address?.port ?? 0) : 0 });
});
