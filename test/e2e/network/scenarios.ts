import { cutOffAndDead, cutOffGroups, threeNodesOneKilled, twoParts } from './broken-nodes.ts';
import { collectiveOfTwo, nodeWithoutLibrary, wrongSum } from './collective.ts';
import type { Scenario } from './scenario.ts';
import { cablesWithFaults, fiveNodes, threeNodesOneSlow, twoNodesOneSlow } from './shaped-faults.ts';
import { besideStrangers, coordinatorKilled, thenQuickMark } from './sound-cluster.ts';
import { thinUplink } from './thin-uplink.ts';

/** Every kind of finding occurs in at least one of these; they run with the tests. The largest clusters come first. */
export const tested: readonly Scenario[] = [
  cablesWithFaults,
  cutOffAndDead,
  thinUplink(3),
  twoParts,
  coordinatorKilled,
  collectiveOfTwo,
];

/** Other sizes and combinations: `make soak ONLY=network-faults`, where all scenarios run one after the other. */
export const nightly: readonly Scenario[] = [
  besideStrangers,
  thenQuickMark,
  fiveNodes,
  threeNodesOneSlow,
  twoNodesOneSlow,
  thinUplink(4),
  cutOffGroups,
  threeNodesOneKilled,
  nodeWithoutLibrary,
  wrongSum,
];
