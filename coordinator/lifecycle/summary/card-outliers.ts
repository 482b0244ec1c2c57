import type { Judgement, RunFinding } from '../../contract/judgement.ts';
import { arithmeticOf } from '../../contract/matrix-engine.ts';
import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import { engineBehind } from '../../figures/aggregate-figures.ts';
import { loadBehind } from '../../figures/compare-loads.ts';
import { foundBy } from '../../figures/findings/rules.ts';
import { modelKey } from '../../figures/gpu-peaks.ts';
import { judgePeerGroup } from '../../figures/judge-peers.ts';
import type { NodeResult } from '../queries/summary.ts';

/** Figures that depend on the card and not on its host, by which cards of different nodes are compared. */
const CARD_FIGURES = ['bf16_tflops', 'fp16_tflops', 'fp32_tflops', 'fp8_tflops', 'memory_bandwidth_gbs'] as const;

interface Card {
  node: number;
  device: number;
  of: QuickMarkTestResult;
}

/**
 * Cards behind the cards of their model in all nodes of a job, by the rule for the cards of one node: a node with one or two cards
 * has no median of its own, and a sum over a node would hide one slow card of eight. What a node's own judgement says already is
 * left out.
 */
export function cardOutliers(
  results: readonly NodeResult[],
  judged: readonly Judgement[],
  numberOf: (taskId: string) => number | null,
): RunFinding[] {
  const cards = results.flatMap(({ task_id, results: { test_results } }) => {
    const node = numberOf(task_id);
    return node === null
      ? []
      : test_results.flatMap((of, device): Card[] => (of.vendor === 'cpu' ? [] : [{ node, device, of }]));
  });
  if (new Set(cards.map(({ node }) => node)).size < 2) return [];
  const models = Map.groupBy(cards, ({ of }) => `${of.simulated} ${modelKey(of.vendor, of.gpu_model)}`);
  return [...models.values()].flatMap((model) =>
    CARD_FIGURES.flatMap((metric) => {
      const having = model.flatMap((card) => {
        const value = card.of[metric];
        return value === null || value === undefined || value <= 0
          ? []
          : [{ ...card, value, figure: figureOf(card.of, metric, value) }];
      });
      return judgePeerGroup(having, 'higher').flatMap(({ card, finding: { verdict, reason } }): RunFinding[] =>
        (verdict === 'warn' || verdict === 'bad') && !isSaid(judged[card.node], card.device, metric)
          ? [
              foundBy('node_outlier', reason ?? 'behind the others of its model', {
                grade: verdict === 'bad' ? 'bad' : 'check',
                nodes: [card.node],
                devices: [card.device],
                figures: [metric],
              }),
            ]
          : [],
      );
    }),
  );
}

const isSaid = (judged: Judgement | undefined, device: number, metric: string): boolean =>
  (judged?.findings ?? []).some(
    ({ rule, devices, figures }) => rule === 'peers' && devices.includes(device) && figures.includes(metric),
  );

const figureOf = (device: QuickMarkTestResult, metric: string, value: number) => {
  const engine = engineBehind(device, metric);
  return {
    metric,
    value,
    unit: metric.endsWith('_gbs') ? 'GB/s' : 'TFLOP/s',
    reason: null,
    cv: null,
    verified: null,
    core_share: null,
    engine: engine === 'mixed' ? null : engine,
    arithmetic: arithmeticOf(metric, device.gemm?.[metric] ?? {}),
    load: loadBehind(device, metric),
  };
};
