import { agentProtocolArea } from './agent-protocol/routes.ts';
import { networkArea } from './network/routes.ts';
import { applicationsArea } from './accounts/applications/routes.ts';
import { credentialVerifiers } from './accounts/credentials.ts';
import { programUses } from './accounts/programs/record-use.ts';
import { accountsArea } from './accounts/routes.ts';
import { batchCarbonRoute, gpuCarbonPostRoute } from './contract/carbon-routes.ts';
import { heartbeatRoute } from './contract/agent-routes.ts';
import { historyPriceRoute, latestPriceRoute } from './contract/market-routes.ts';
import { predictRoute } from './contract/prediction.ts';
import { tokenIndexRoute } from './contract/token-index.ts';
import { bookPreviewRoute } from './contract/token-price-routes.ts';
import { carbonArea } from './carbon/routes.ts';
import { catalogArea } from './catalog/routes.ts';
import { forwardArea } from './forward/routes.ts';
import { jobsArea } from './jobs/routes.ts';
import { testTasksArea } from './jobs/test-tasks/routes.ts';
import { hotMarket } from './market/hot-market.ts';
import { marketArea } from './market/routes.ts';
import { agentFilesArea } from './platform/agent-files/routes.ts';
import { artifactsArea } from './platform/artifacts/routes.ts';
import type { Platform } from './platform/context.ts';
import type { HearUse } from './platform/http/auth/admit.ts';
import { withFastLane } from './platform/http/fast-lane.ts';
import { createMetrics } from './platform/http/observe.ts';
import { mount, type HttpApp } from './platform/http/mount.ts';
import { portalArea } from './portal/routes.ts';
import { predictionArea } from './prediction/routes.ts';
import { tokensArea, tokenIndexArea } from './tokens/routes.ts';
import { countSetAside, countWork } from './platform/work-queue/run-work-queue.ts';

interface Options {
  /** Memory, CPU and event-loop figures in `/metrics`; only one app per process can export them. */
  processMetrics: boolean;
  /** True once shutdown has begun. */
  isDraining: () => boolean;
}

/** Routes called so often that they bypass the router: otherwise each would miss its `make bench` target. */
const FAST = [
  heartbeatRoute,
  latestPriceRoute,
  historyPriceRoute,
  gpuCarbonPostRoute,
  batchCarbonRoute,
  bookPreviewRoute,
  tokenIndexRoute,
  predictRoute,
];

/** The whole API and the portal: every area is listed here and nowhere else. */
export function createApp(platform: Platform, { processMetrics, isDraining }: Options): HttpApp {
  const market = hotMarket(platform);
  const areas = [
    accountsArea(platform),
    applicationsArea(platform),
    jobsArea(platform),
    agentProtocolArea(platform),
    networkArea(platform, { isDraining }),
    testTasksArea(platform),
    catalogArea(platform, market),
    marketArea(platform, market),
    carbonArea(platform, market),
    tokensArea(platform),
    tokenIndexArea(platform, market),
    forwardArea(platform, market),
    predictionArea(platform, market),
    artifactsArea(platform),
    agentFilesArea(platform),
    portalArea(platform),
  ];
  const metrics = createMetrics({ processMetrics });
  metrics.gauge('work_queue_items', 'Reports queued or being rendered', () => countWork(platform));
  metrics.gauge(
    'work_queue_set_aside',
    'Reports of the last 7 days that could not be rendered; work_item.error says why',
    () => countSetAside(platform),
  );
  const uses = programUses(platform);
  const used: HearUse = (actor, address) => uses.note(actor, address, platform.now());
  const app = mount({ platform, areas, verifiers: credentialVerifiers(platform), used, metrics, isDraining });
  return withFastLane(app, FAST);
}
