import type { Performance } from '../../contract/performance.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { comparePerformance, unknownPerformance } from '../performance/compare.ts';
import {
  jobFigures,
  nodeFigures,
  rankIndex,
  type CustomerVote,
  type ModelFigures,
} from '../performance/node-figures.ts';
import type { NodePerformance } from '../performance/scoreboard.ts';
import { selectVotes } from '../performance/queries.ts';
import type { NodeResult } from '../queries/summary.ts';
import type { LockedJob } from '../locked-rows.ts';

interface Verdict {
  performance_status: Performance['status'] | null;
  performance: Performance | null;
  performance_nodes: NodePerformance[] | null;
  scoreboard_model: string | null;
  scoreboard_group: string | null;
  scoreboard_index: number | null;
}

const nothingToJudge: Verdict = {
  performance_status: null,
  performance: null,
  performance_nodes: null,
  scoreboard_model: null,
  scoreboard_group: null,
  scoreboard_index: null,
};

/** The job and each of its nodes against others of the same model. A simulated job is not judged and does not rank. */
export async function judgeJob(
  sql: Queryable,
  job: Pick<LockedJob, 'id' | 'customer_id'>,
  results: readonly NodeResult[],
  simulated: boolean,
): Promise<Verdict> {
  const nodes = results.flatMap((result) => {
    const figures = nodeFigures(result.results.test_results);
    return figures ? [{ task_id: result.task_id, machine_uuid: result.machine_uuid, figures }] : [];
  });
  const whole = jobFigures(nodes.map((node) => node.figures));
  if (!whole) return nothingToJudge;
  if (simulated)
    return { ...nothingToJudge, performance_status: 'unknown', performance: unknownPerformance, performance_nodes: [] };
  const compared = await comparison(
    sql,
    job,
    nodes.map((node) => node.figures),
  );
  const performance = compared(whole);
  const rank = rankIndex(whole);
  return {
    performance_status: performance.status,
    performance,
    performance_nodes: nodes.map(({ figures, ...node }) => ({
      ...node,
      ...compared(figures),
    })),
    scoreboard_model: whole.gpu_model,
    scoreboard_group: rank?.group ?? null,
    scoreboard_index: rank?.index ?? null,
  };
}

async function comparison(sql: Queryable, job: Pick<LockedJob, 'id' | 'customer_id'>, all: readonly ModelFigures[]) {
  const keyOf = ({ model_key, bf16_engine, bf16_load }: ModelFigures) => `${bf16_engine} ${bf16_load} ${model_key}`;
  const votes = new Map<string, CustomerVote[]>();
  for (const figures of all) {
    if (!votes.has(keyOf(figures))) votes.set(keyOf(figures), await selectVotes(sql, figures, job.id));
  }
  return (figures: ModelFigures): Performance =>
    comparePerformance(figures, votes.get(keyOf(figures)) ?? [], job.customer_id);
}
