import type { JobDetail } from '../../contract/job.ts';
import type { Performance } from '../../contract/performance.ts';
import type { Context } from '../../platform/context.ts';
import { asJudgedNow, peersOf } from './compare.ts';
import { withinPublished } from './published.ts';
import { rankedBy } from './node-figures.ts';
import { rankOf, selectModels, selectVotes } from './queries.ts';

export type NodePerformance = Performance & { task_id: string; machine_uuid: string };

/** The job's current place among the customers that measured the same figure of the model; null for a job without a score. */
export async function scoreboardOf(
  { sql }: Pick<Context, 'sql'>,
  job: {
    customer_id: string;
    scoreboard_model: string | null;
    scoreboard_group: string | null;
    scoreboard_index: number | null;
    performance: Performance | null;
    performance_nodes: NodePerformance[] | null;
  },
): Promise<JobDetail['scoreboard_summary']> {
  const { scoreboard_group: group, scoreboard_index: index, scoreboard_model: gpu_model } = job;
  const performance = job.performance === null ? null : asJudgedNow(job.performance);
  if (group === null || index === null || gpu_model === null || performance?.score == null) return null;
  const { of, above, notAbove } = await rankOf(sql, { group, index, customerId: job.customer_id });
  return {
    gpu_model,
    rank: above + 1,
    rank_by: rankedBy(group),
    of,
    percentile: Number(((100 * notAbove) / of).toFixed(1)),
    score: performance.score,
    status: performance.status,
    underperforming_nodes: underperforming(job.performance_nodes ?? []),
  };
}

const underperforming = (nodes: readonly (Performance & { task_id: string })[]): string[] =>
  nodes.filter((node) => node.status === 'underperforming').map((node) => node.task_id);

interface MeasuredBandwidth {
  /** memory bandwidth of one device, GB/s */
  gbs: number;
  customers: number;
  machines: number;
}

/** Excludes no job: the results of all of them count. */
const NO_JOB = '0';

/**
 * The memory bandwidth measured on devices of a model: the median of one vote per customer, limited to the published range. Null
 * until enough customers and machines have measured it for an expectation; fewer would reveal what one of them has.
 */
export async function measuredBandwidth(
  { sql }: Pick<Context, 'sql'>,
  isModel: (gpuModel: string) => boolean,
): Promise<MeasuredBandwidth | null> {
  const model = (await selectModels(sql)).find(({ gpu_model }) => isModel(gpu_model));
  if (!model) return null;
  const votes = await selectVotes(sql, { model_key: model.model_key, bf16_engine: null, bf16_load: null }, NO_JOB);
  const { median, customers, machines } = peersOf('memory_bandwidth_gbs', votes);
  if (median === null) return null;
  return {
    gbs: withinPublished('memory_bandwidth_gbs', median, { ...model, bf16_engine: null, bf16_load: null }),
    customers,
    machines,
  };
}
