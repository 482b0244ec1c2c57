import type { z } from '@hono/zod-openapi';
import type { benchmarkItem } from '../contract/agent-protocol.ts';

export type BenchmarkItem = z.infer<typeof benchmarkItem>;

/** Every benchmark a job may ask for. */
export const benchmarkNames: Readonly<Record<string, string>> = {
  quick_mark: 'QuickMark',
  cluster_network: 'Cluster network',
};

export const benchmarkName = (id: string): string => benchmarkNames[id] ?? id;

/** Measured by the nodes together, not by each: absent from what a node must deliver. */
const ofTheCluster = new Set(['cluster_network']);

export const isClusterBenchmark = (id: string): boolean => ofTheCluster.has(id);

/** Why a cluster benchmark has no result if no node took part in it: it is skipped, never invented. */
export const clusterSkipReason =
  'cluster_network was not measured: no node of this job took part in it, as agents of older versions do not.';
