import { z } from 'zod';
import { sensorSeries, type SensorSeries } from '../../contract/sensor-series.ts';
import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import { sizeCaps } from '../../contract/size-caps.ts';
import { detailFigures } from '../../figures/detail-figures.ts';
import { isPart } from '../../figures/gpu-peaks.ts';
import { slowedBy } from '../../figures/health/clocks.ts';
import type { Stretch } from '../../charts/sensor-lines.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { Cache } from '../../platform/cache.ts';
import type { Context } from '../../platform/context.ts';
import type { Visit } from '../frame/visit.ts';
import { storedDevices, storedNames } from './run-figures.ts';
import { findRawResult } from '../queries/node-results.ts';

/** Data that only the complete result of a device contains. */
export interface DeviceSensors {
  device: string;
  /** position in the stored result */
  place: number;
  /** sensor readings over time; null: its result has none */
  series: SensorSeries | null;
  /** a partition of a GPU, to which its data sheet does not apply */
  isPart: boolean;
  /** records of figures without fields of their own */
  further: QuickMarkTestResult['details'];
}

export interface TaskSensors {
  /** the owner of the task, also when others view it */
  customerId: string;
  devices: readonly DeviceSensors[];
}

/** Results never change, so a process keeps this many; 64 devices with 256 points take some 1.2 MiB here. */
const MOST_KEPT = 32;
const kept = new Cache<string, readonly DeviceSensors[]>(MOST_KEPT);

/** For each device of a task visible to the visitor, in the result's order. Null without a result. */
export async function sensorsOf({ context }: Pick<Visit, 'context'>, taskId: string): Promise<TaskSensors | null> {
  const found = await findRawResult(context.sql, { taskId, customerId: visibleCustomer(context.actor) });
  if (found === null) return null;
  const customerId = found.customer_id;
  const known = kept.get(found.id);
  if (known !== undefined) return { customerId, devices: known };
  const whole = found.raw_key === null ? found.results : await readFile(context, found.raw_key);
  const devices = whole === null ? [] : sensorsIn(JSON.parse(whole));
  kept.set(found.id, devices);
  return { customerId, devices };
}

/** Null if the file is missing, or larger than the limit for uploads. */
async function readFile({ artifacts }: Context, key: string): Promise<string | null> {
  const opened = await artifacts.open(key);
  // The file has the JSON as received; the limit counts it as Postgres formats it, with spaces.
  if (opened === null || opened.sizeBytes > sizeCaps.resultBytes) return null;
  const pieces: Buffer[] = [];
  for await (const piece of opened.content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const facts = z.record(z.string(), z.unknown());
const device = z.looseObject({ gpu_id: z.string(), details: facts.catch({}) });

function sensorsIn(results: unknown): DeviceSensors[] {
  const all = storedDevices(results);
  const names = storedNames(all);
  return all.flatMap((one, place) => {
    const read = device.safeParse(one).data;
    if (read === undefined) return [];
    const attributes = facts.safeParse(read.details['device']).data ?? {};
    return [
      {
        device: names[place] ?? '',
        place,
        series: sensorSeries.safeParse(read.details['readings']).data ?? null,
        isPart: isPart({ device_id: read.gpu_id, attributes }),
        further: Object.fromEntries(
          detailFigures(read).map(({ metric, value, record: { stats } }) => [metric, { value, stats }]),
        ),
      },
    ];
  });
}

const usual: Readonly<Record<string, string>> = {
  sw_power_cap: 'its power cap',
  current_limit: 'its limit of current',
  application_clocks: 'clocks set by an application',
  sync_boost: 'clocks kept equal with other cards',
  display_clocks: 'clocks for a display',
};

/** What throttled a device, in words; the driver's own name if it is unknown. */
export const reasonWords = (reason: string): string => slowedBy[reason] ?? usual[reason] ?? reason;

/** The periods in which the device ran below its clock, with the reasons in words. */
export const stretchesOf = ({ seconds, throttled }: SensorSeries): Stretch[] =>
  throttled.flatMap(({ first, last, reasons }) => {
    const [from, to] = [seconds[first], seconds[last]];
    if (from === undefined || to === undefined) return [];
    const isBad = reasons.some((reason) => slowedBy[reason] !== undefined);
    // A reading applies until the next one.
    return [
      {
        from,
        to: seconds[last + 1] ?? to,
        words: reasons.map(reasonWords).join(', '),
        isBad,
      },
    ];
  });
