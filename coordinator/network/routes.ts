import {
  networkJoinRoute,
  networkMatrixRoute,
  networkPollRoute,
  networkReportRoute,
  networkSyncRoute,
} from '../contract/network-routes.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { withSecret } from '../lifecycle/session.ts';
import { onJobEnding } from '../lifecycle/on-job-ending.ts';
import { closeRuns } from './close-runs.ts';
import { joinNetwork } from './join-network.ts';
import { pollPlan, readMatrix, syncClock } from './seated-calls.ts';
import { reportLinks } from './report-links.ts';
import { createRunWatch } from './watch/run-watch.ts';

/** The calls of agents in a cluster_network, in the dialect `error`. */
export function networkArea(platform: Platform, { isDraining }: { isDraining: () => boolean }): Area {
  const area = createArea(platform, 'error');
  onJobEnding(closeRuns);
  const watch = createRunWatch({ platform, isDraining });
  area.on(networkJoinRoute, (context, input) => joinNetwork(context, withSecret(input), watch));
  area.on(networkSyncRoute, (context, input) => syncClock(context, withSecret(input)));
  area.on(networkPollRoute, (context, input) => pollPlan(context, withSecret(input), watch));
  area.on(networkReportRoute, (context, input) => reportLinks(context, withSecret(input), watch));
  area.on(networkMatrixRoute, (context, input) => readMatrix(context, withSecret(input), watch));
  return area;
}
