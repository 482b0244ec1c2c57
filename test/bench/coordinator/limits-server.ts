import { ADDRESS_RATE, JOB_RATE } from '../../../coordinator/platform/limits/rate.ts';
import { benchPlatform, sayPorts, serveApp } from './server-process.ts';

/** The same app twice in one process, with and without limits: code, caches, pool and luck of the compiler are the same. */
const platform = await benchPlatform();
const limited = { ...platform, config: { ...platform.config, rateLimits: { address: ADDRESS_RATE, job: JOB_RATE } } };
const ours = await serveApp(limited, { processMetrics: false });
const floor = await serveApp(platform, { processMetrics: false });
sayPorts({ ours, floor });
