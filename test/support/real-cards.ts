import { readFileSync } from 'node:fs';
import { figuresOf } from '../../agent/benchmarks/run-quick-mark.ts';
import { judgeNode, type MeasuredDevice } from '../../agent/benchmarks/judge-node.ts';
import { assembleQuickMark } from '../../agent/kernels/assemble-quick-mark.ts';
import type { DeviceEvent, ResultEvent } from '../../agent/kernels/runner-events.ts';
import type { BandwidthCell } from '../../coordinator/contract/bandwidth-matrix.ts';
import type { QuickMarkTestResult } from '../../coordinator/contract/quick-mark.ts';
import { judgeResults } from '../../coordinator/figures/judge-results.ts';

/** A healthy card that was measured: what its runner said of it, and its results in each of three rounds. */
export interface RealCard {
  device: DeviceEvent;
  rounds: ResultEvent[][];
}

interface ResultsFile {
  rounds: { turns: { run: { devices: DeviceEvent[]; results: ResultEvent[] } }[] }[];
}

const FILES = {
  'H100 SXM': 'nvidia-h100-80gb-hbm3-580.159.04-2026-11-27.json',
  H200: 'nvidia-h200-580.159.04-2026-11-27.json',
} as const;
export type RealModel = keyof typeof FILES;

/** From `native/results`, unaltered. */
export function realCard(model: RealModel): RealCard {
  const path = new URL(`../../native/results/${FILES[model]}`, import.meta.url);
  const { rounds } = JSON.parse(readFileSync(path, 'utf8')) as ResultsFile;
  const runs = rounds.flatMap(({ turns }) => turns.map(({ run }) => run));
  const [device] = runs[0]?.devices ?? [];
  if (device === undefined) throw new Error(`no card in ${path.pathname}`);
  return { device, rounds: runs.map(({ results }) => results) };
}

/** The value and details of a result, or null to leave it out. */
export type Change = (result: ResultEvent) => Partial<ResultEvent> | null;

/** One card as if the runner had measured it: a real one's events under another id, each changed by `change`. */
export function measuredAs(
  card: RealCard,
  id: string,
  round = 0,
  change: Change = () => ({}),
  attributes: Record<string, unknown> = {},
): MeasuredDevice {
  const device = { ...card.device, device_id: id, attributes: { ...card.device.attributes, ...attributes } };
  const events = (card.rounds[round] ?? []).flatMap((result) => {
    const changed = change(result);
    return changed === null ? [] : [{ ...result, device_id: id, ...changed }];
  });
  return { device, events, figures: figuresOf(events, device) };
}

/** metric -> "verdict rule" of each figure that is not ok, by the agent's judgement of a node. */
export const agentFindings = (devices: readonly MeasuredDevice[]): Record<string, string>[] =>
  judgeNode(devices, null).map(({ metrics }) =>
    Object.fromEntries(
      metrics
        .filter(({ verdict, absence }) => verdict === 'warn' || verdict === 'bad' || absence === 'failed')
        .map(({ metric, verdict, rule }) => [metric, `${verdict} ${rule}`]),
    ),
  );

/** A node as its agent would upload it, with verdicts that hide every finding, as the coordinator keeps it. */
export function coordinatorJudges(
  devices: readonly MeasuredDevice[],
  cells?: readonly BandwidthCell[],
): { devices: QuickMarkTestResult[]; cells: BandwidthCell[] } {
  const test_results = devices.map(({ device, events }) => assembleQuickMark([device, ...events], device.device_id));
  const judged = judgeResults({
    test_results,
    aggregate_results: {
      gpu_id: 'aggregate',
      fp32_tflops: null,
      fp16_tflops: null,
      bf16_tflops: null,
      memory_bandwidth_gbs: null,
      power_consumption_watts: null,
      temperature_centigrade: null,
      ...(cells === undefined ? {} : { gpu_bandwidth_matrix: [...cells] }),
    },
    tier: 'quick',
    engine_choice: 'auto',
  });
  return { devices: judged.test_results, cells: judged.aggregate_results.gpu_bandwidth_matrix ?? [] };
}

/** The same as `agentFindings`, of what the coordinator keeps: the rule is the first words of its sentence. */
export const coordinatorFindings = (devices: readonly QuickMarkTestResult[]): Record<string, string>[] =>
  devices.map(({ verdicts = {} }) =>
    Object.fromEntries(
      Object.entries(verdicts)
        .filter(([, { verdict }]) => verdict === 'warn' || verdict === 'bad')
        .map(([metric, { verdict, rule }]) => [
          metric,
          `${verdict} ${/^(?:judged by the coordinator: )?([^:]*)/.exec(rule)?.[1]}`,
        ]),
    ),
  );
