import { Cache } from '../../platform/cache.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { readResultTexts } from '../queries/node-results.ts';
import { devicesOf, meanMeasured, runOf, shownMetrics, type Measured } from './run-figures.ts';
import { kindOfDevices, type RunKind } from './run-kind.ts';

export interface RunMeans {
  run: RunKind;
  /** its devices, e.g. "8 x NVIDIA H100"; empty if none delivered results */
  hardware: string;
  /** by metric; a metric that a device of the run lacks is left out */
  figures: ReadonlyMap<string, Measured>;
}

/** Results never change once stored, so a process keeps this many; 20 figures of a run take about 3 KiB here. */
const MOST_KEPT = 8192;
const kept = new Cache<string, RunMeans>(MOST_KEPT);

/** The mean device of each of these results. The caller has checked who owns them. */
export async function readRunMeans(sql: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, RunMeans>> {
  const found = new Map<string, RunMeans>();
  for (const id of ids) {
    const means = kept.get(id);
    if (means !== undefined) found.set(id, means);
  }
  const unknown = ids.filter((id) => !found.has(id));
  for await (const { id, results } of readResultTexts(sql, unknown)) {
    const means = meansOf([nodeOf(results)]);
    found.set(id, means);
    kept.set(id, means);
  }
  return found;
}

/** The mean device of all these results, which are the nodes of one run. The caller has checked who owns them. */
export async function readJointMeans(sql: Queryable, ids: readonly string[]): Promise<RunMeans> {
  const key = ids.join();
  const known = kept.get(key);
  if (known !== undefined) return known;
  const nodes: RunNode[] = [];
  for await (const { results } of readResultTexts(sql, ids)) nodes.push(nodeOf(results));
  const means = meansOf(nodes);
  kept.set(key, means);
  return means;
}

interface RunNode {
  devices: ReturnType<typeof devicesOf>;
  tier: string | null;
}

function nodeOf(results: string): RunNode {
  const read: unknown = JSON.parse(results);
  return { devices: devicesOf(read), tier: runOf(read).tier ?? null };
}

function meansOf(nodes: readonly RunNode[]): RunMeans {
  const devices = nodes.flatMap((node) => node.devices);
  const [tier = null, ...others] = new Set(nodes.map((node) => node.tier));
  const models = Map.groupBy(devices, ({ gpu_model }) => gpu_model);
  return {
    run: { ...kindOfDevices(devices), tier: others.length > 0 ? 'mixed' : tier },
    hardware: [...models].map(([model, same]) => `${same.length} x ${model}`).join(', '),
    figures: new Map(
      shownMetrics.flatMap((metric) => {
        const mean = meanMeasured(devices, metric);
        return mean === null ? [] : [[metric, mean] as const];
      }),
    ),
  };
}
