import {
  networkJoinRoute,
  networkMatrixRoute,
  networkPollRoute,
  networkReportRoute,
  networkSyncRoute,
} from '../../contract/network-routes.ts';
import type { Platform } from '../../platform/context.ts';
import type { Area } from '../../platform/http/area.ts';
import { joinNetwork } from './join-network.ts';
import { pollPlan } from './poll-plan.ts';
import { readMatrix } from './read-matrix.ts';
import { reportLinks } from './report-links.ts';
import { syncClock } from './sync-clock.ts';
import { createRunWatch } from './watch/run-watch.ts';

export function bindNetwork(area: Area, platform: Platform, { isDraining }: { isDraining: () => boolean }): void {
  const watch = createRunWatch({ platform, isDraining });
  area.on(networkJoinRoute, (context, { body }) => joinNetwork(context, body, watch));
  area.onFast(networkSyncRoute, (context, { body }) => syncClock(context, body));
  area.onFast(networkPollRoute, (context, { body }) => pollPlan(context, body, watch));
  area.on(networkReportRoute, (context, { body }) => reportLinks(context, body, watch));
  area.on(networkMatrixRoute, (context, { body }) => readMatrix(context, body, watch));
}
