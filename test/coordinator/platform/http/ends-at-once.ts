import { createLog } from '../../../../coordinator/platform/log.ts';
import { createMetrics, recordSoon } from '../../../../coordinator/platform/http/observe.ts';

/** Records an answered request and ends in the same turn of the event loop, with code 3. */
recordSoon(
  { metrics: createMetrics({ processMetrics: false }), log: createLog('info') },
  {
    requestId: 'request-0001',
    traceId: null,
    method: 'GET',
    route: '/last',
    status: 200,
    seconds: 0.5,
    address: null,
    fields: {},
  },
);
process.exit(3);
