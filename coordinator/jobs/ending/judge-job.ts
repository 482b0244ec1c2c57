import type { Performance } from '../../contract/job.ts';
import type { Queryable } from '../../platform/db/client.ts';
import type { NodePerformance } from '../job-row.ts';
import { comparePerformance, unknownPerformance } from '../performance/compare.ts';
import {
  jobFigures,
  nodeFigures,
  rankIndex,
  type ModelFigures,
  type PeerFigures,
} from '../performance/node-figures.ts';
import { selectPeers } from '../performance/queries.ts';
import type { LockedJob, NodeResult } from './queries.ts';

interface Verdict {
  performanceStatus: Performance['status'] | null;
  performance: Performance | null;
  performanceNodes: NodePerformance[] | null;
  scoreboardModel: string | null;
  scoreboardGroup: string | null;
  scoreboardIndex: number | null;
}

const nothingToJudge: Verdict = {
  performanceStatus: null,
  performance: null,
  performanceNodes: null,
  scoreboardModel: null,
  scoreboardGroup: null,
  scoreboardIndex: null,
};

/** The job and each of its nodes against others of the same model. A simulated job is not judged and does not rank. */
export async function judgeJob(
  sql: Queryable,
  job: Pick<LockedJob, 'id'>,
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
    return { ...nothingToJudge, performanceStatus: 'unknown', performance: unknownPerformance, performanceNodes: [] };
  const peersOf = await peersByModel(
    sql,
    job.id,
    nodes.map((node) => node.figures),
  );
  const performance = comparePerformance(whole, peersOf(whole));
  const rank = rankIndex(whole);
  return {
    performanceStatus: performance.status,
    performance,
    performanceNodes: nodes.map(({ figures, ...node }) => ({
      ...node,
      ...comparePerformance(figures, peersOf(figures)),
    })),
    scoreboardModel: whole.gpu_model,
    scoreboardGroup: rank?.group ?? null,
    scoreboardIndex: rank?.index ?? null,
  };
}

async function peersByModel(sql: Queryable, jobId: string, all: readonly ModelFigures[]) {
  const keyOf = ({ gpu_vendor, gpu_model, bf16_engine }: ModelFigures) => `${gpu_vendor} ${bf16_engine} ${gpu_model}`;
  const peers = new Map<string, PeerFigures[]>();
  for (const figures of all) {
    if (!peers.has(keyOf(figures))) peers.set(keyOf(figures), await selectPeers(sql, figures, jobId));
  }
  return (figures: ModelFigures): PeerFigures[] => peers.get(keyOf(figures)) ?? [];
}
