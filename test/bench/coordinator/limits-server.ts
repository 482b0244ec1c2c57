import { createServer } from 'node:http';
import { ADDRESS_RATE, JOB_RATE, LINK_RATE } from '../../../coordinator/platform/limits/rate.ts';
import { benchPlatform, sayPorts, serveApp } from './server-process.ts';

/**
 * One app whose limits are switched by a call of `/on` or `/off` on the second port. Two identical apps, even in one
 * process, differ by up to 5 %, depending on what the compiler happens to do.
 */
const platform = await benchPlatform();
const config = { ...platform.config };
const ours = await serveApp({ ...platform, config }, { processMetrics: false });
const limits = { address: ADDRESS_RATE, job: JOB_RATE, link: LINK_RATE };
const control = createServer((request, response) => {
  config.rateLimits = request.url === '/on' ? limits : null;
  response.end();
});
control.listen(0, '127.0.0.1', () => {
  const address = control.address();
  sayPorts({ ours, floor: typeof address === 'object' ? (address?.port ?? 0) : 0 });
});
