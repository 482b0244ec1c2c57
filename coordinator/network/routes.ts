import {
  networkJoinRoute,
  networkMatrixRoute,
  networkPollRoute,
  networkReportRoute,
  networkSyncRoute,
} from '../contract/network-routes.ts';
import type { Platform } from '../platform/context.ts';
import type { Area } from '../platform/http/area.ts';
import { withSecret } from '../lifecycle/task-secret.ts';
import { joinNetwork } from './join-network.ts';
import { pollPlan } from './poll-plan.ts';
import { readMatrix } from './read-matrix.ts';
import { reportLinks } from './report-links.ts';
import { syncClock } from './sync-clock.ts';
import { createRunWatch } from './watch/run-watch.ts';

export function bindNetwork(area: Area, platform: Platform, { isDraining }: { isDraining: () => boolean }): void {
  const watch = createRunWatch({ platform, isDraining });
  area.on(networkJoinRoute, (context, input) => joinNetwork(context, withSecret(input), watch));
  area.on(networkSyncRoute, (context, input) => syncClock(context, withSecret(input)));
  area.on(networkPollRoute, (context, input) => pollPlan(context, withSecret(input), watch));
  area.on(networkReportRoute, (context, input) => reportLinks(context, withSecret(input), watch));
  area.on(networkMatrixRoute, (context, input) => readMatrix(context, withSecret(input), watch));
}
