import type { z } from '@hono/zod-openapi';
import type { benchmarkItem } from '../contract/agent-protocol.ts';

export type BenchmarkItem = z.infer<typeof benchmarkItem>;

/** Every benchmark that a job can request. */
export const benchmarkNames: Readonly<Record<string, string>> = {
  quick_mark: 'QuickMark',
  cluster_network: 'Cluster network',
};

export const benchmarkName = (id: string): string => benchmarkNames[id] ?? id;

/** Measured by the nodes together, not by each: a single node does not have to deliver them. */
const ofTheCluster = new Set(['cluster_network']);

export const isClusterBenchmark = (id: string): boolean => ofTheCluster.has(id);

/** Why a cluster benchmark is skipped if no node took part in it. */
export const clusterSkipReason =
  'cluster_network was not measured: no node of this job took part in it, as agents of older versions do not.';
