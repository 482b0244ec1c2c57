import { z } from 'zod';
import { sensorSeries, type SensorSeries } from '../../contract/sensor-series.ts';
import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import { sizeCaps } from '../../contract/size-caps.ts';
import { detailFigures } from '../../figures/detail-figures.ts';
import { isPart } from '../../figures/gpu-peaks.ts';
import { slowedBy } from '../../figures/judge-devices.ts';
import type { Stretch } from '../../charts/sensor-lines.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { Cache } from '../../platform/cache.ts';
import type { Context } from '../../platform/context.ts';
import type { Visit } from '../frame/visit.ts';
import { storedDevices } from './run-figures.ts';
import { findRawResult } from '../queries/node-results.ts';

/** What only the whole result of a device holds. */
export interface DeviceSensors {
  device: string;
  /** in the stored result */
  place: number;
  /** what its sensors said over time; null: its result carries nothing of it */
  series: SensorSeries | null;
  /** a slice of a card, which its data sheet does not speak of */
  isPart: boolean;
  /** records of the figures that have no field of their own */
  further: QuickMarkTestResult['details'];
}

export interface TaskSensors {
  /** whose task it is, also if others look at it */
  customerId: string;
  devices: readonly DeviceSensors[];
}

/** Results never change, so each is read once by a process: 64 devices of 100 points take some 500 KiB here. */
const MOST_KEPT = 32;
const kept = new Cache<string, readonly DeviceSensors[]>(MOST_KEPT);

/** A device to strangers; its own id may be a serial. */
export const deviceNumber = (at: number): string => `device ${at}`;

/** Of each device of a task of the visitor, in the result's order. Null without a result. */
export async function sensorsOf(
  { context, shared }: Pick<Visit, 'context' | 'shared'>,
  taskId: string,
): Promise<TaskSensors | null> {
  const found = await readSensors(context, taskId);
  if (found === null || shared === null) return found;
  return { ...found, devices: found.devices.map((device) => ({ ...device, device: deviceNumber(device.place) })) };
}

async function readSensors(context: Context, taskId: string): Promise<TaskSensors | null> {
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

/** Null if the file is gone, or larger than any that is taken. */
async function readFile({ artifacts }: Context, key: string): Promise<string | null> {
  const opened = await artifacts.open(key);
  // The file has the JSON as it came, the limit counts it as Postgres writes it, with blanks.
  if (opened === null || opened.sizeBytes > sizeCaps.resultBytes) return null;
  const pieces: Buffer[] = [];
  for await (const piece of opened.content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const facts = z.record(z.string(), z.unknown());
const device = z.looseObject({ gpu_id: z.string(), details: facts.catch({}) });

function sensorsIn(results: unknown): DeviceSensors[] {
  return storedDevices(results).flatMap((one, place) => {
    const read = device.safeParse(one).data;
    if (read === undefined) return [];
    const attributes = facts.safeParse(read.details['device']).data ?? {};
    return [
      {
        device: read.gpu_id,
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

/** What held a device back, by its driver's name of it, in words. */
export const reasonWords = (reason: string): string => slowedBy[reason] ?? usual[reason] ?? reason;

/** When the device ran below its clock, in words. */
export const stretchesOf = ({ seconds, throttled }: SensorSeries): Stretch[] =>
  throttled.flatMap(({ first, last, reasons }) => {
    const [from, to] = [seconds[first], seconds[last]];
    if (from === undefined || to === undefined) return [];
    const isBad = reasons.some((reason) => slowedBy[reason] !== undefined);
    // A reading stands for the time up to the next one.
    return [
      {
        from,
        to: seconds[last + 1] ?? to,
        words: reasons.map(reasonWords).join(', '),
        isBad,
      },
    ];
  });
