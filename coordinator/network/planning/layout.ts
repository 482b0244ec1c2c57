import { Cache, loadOnce } from '../../platform/cache.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { selectDials } from '../queries/seats.ts';
import { keyOf, runKeyOf, type RunRow } from '../run-row.ts';
import { pairNumber } from '../schedule/pair-number.ts';
import { planGraph, type GraphPlan, type ScheduledLink } from '../schedule/plan-graph.ts';
import { judgePreflight } from '../verdict/judge-preflight.ts';

export type Reachability = ReturnType<typeof judgePreflight>;

/** Derived from a run's row and its preflight: the links, their rounds, and the dial direction of each. */
export interface Layout {
  /** empty before the graph is chosen */
  rounds: ScheduledLink[][];
  reach: Reachability;
}

/** Cache of layouts: computed from stored data, identical in every process, and kept while the run lasts. */
export interface Layouts {
  of: (sql: Queryable, run: LaidOut) => Promise<Layout>;
}

/** The fields of a run that determine its layout, besides its dials. */
type LaidOut = Pick<RunRow, 'job_id' | 'item' | 'graph' | 'config' | 'nodes_joined' | 'seed'>;

/** Runs whose layouts are kept; K_256 with its reachability takes some 20 MB. */
const MOST_KEPT = 8;

export function createLayouts(): Layouts {
  const kept = new Cache<string, Promise<Layout>>(MOST_KEPT);
  return {
    of: async (sql, run) => {
      const key = `${keyOf(runKeyOf(run))} ${drawnFrom(run)}`;
      return loadOnce(kept, key, () => computeLayout(sql, run));
    },
  };
}

/**
 * After a failed transaction the graph is chosen again, with another time budget and perhaps other nodes, so it needs
 * another layout.
 */
const drawnFrom = ({ graph }: LaidOut): string =>
  graph === null ? 'reach' : JSON.stringify([graph.budget_seconds, graph.slot_seconds, graph.without]);

async function computeLayout(sql: Queryable, run: LaidOut): Promise<Layout> {
  const rows = await selectDials(sql, runKeyOf(run));
  const rounds = drawGraph(run)?.rounds ?? [];
  const listeners = new Map(rounds.flat().map(({ link, listener }) => [link, listener]));
  const count = rows.length;
  const reach = judgePreflight({
    nodes: rows.map(({ node }) => node),
    count,
    reach: rows.flatMap(({ node, preflight }) =>
      preflight.map(({ node: to, status, address }) => ({ from: node, to, status, address })),
    ),
    // without a schedule the listening end alternates
    listenerOf: (a, b) => listeners.get(pairNumber(a, b, count)) ?? ((a + b) % 2 === 0 ? a : b),
  });
  return { rounds, reach };
}

/** Recomputes the chosen graph of a run from its row; null if none is chosen yet. */
function drawGraph(run: LaidOut): GraphPlan | null {
  if (run.graph === null) return null;
  const { without, slot_seconds: slotSeconds, budget_seconds: budgetSeconds } = run.graph;
  return planGraph({
    nodes: run.nodes_joined,
    without,
    config: run.config === null ? null : { graph: run.config.graph, degree: run.config.degree },
    slotSeconds,
    budgetSeconds,
    seed: run.seed,
  });
}
