import { Cache } from '../../platform/cache.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { readResultTexts } from '../queries/node-results.ts';
import { devicesOf, meanMeasured, runOf, shownMetrics, type Measured } from './run-figures.ts';
import { kindOfDevices, type RunKind } from './run-kind.ts';

export interface RunMeans {
  run: RunKind;
  /** none if a device of the run lacks it */
  figures: ReadonlyMap<string, Measured>;
}

/** Results are never changed once stored, so each is read once by a process: 20 figures of a run take about 3 KiB here. */
const MOST_KEPT = 8192;
const kept = new Cache<string, RunMeans>(MOST_KEPT);

/** The mean device of each of these results. The caller has found them to be his. */
export async function readRunMeans(sql: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, RunMeans>> {
  const found = new Map<string, RunMeans>();
  for (const id of ids) {
    const means = kept.get(id);
    if (means !== undefined) found.set(id, means);
  }
  const unknown = ids.filter((id) => !found.has(id));
  for await (const { id, results } of readResultTexts(sql, unknown)) {
    const read: unknown = JSON.parse(results);
    const devices = devicesOf(read);
    const figures = new Map(
      shownMetrics.flatMap((metric) => {
        const mean = meanMeasured(devices, metric);
        return mean === null ? [] : [[metric, mean] as const];
      }),
    );
    const means = { run: { ...kindOfDevices(devices), tier: runOf(read).tier ?? null }, figures };
    found.set(id, means);
    kept.set(id, means);
  }
  return found;
}
