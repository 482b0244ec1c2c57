import { z } from 'zod';
import { figureLimits, figureUpTo, temperature } from './figure-limits.ts';
import { text } from './wire.ts';

/**
 * Most points of a device's sensor series in a result. Five readings a second for the up to 46 s of a quick run are 230, all
 * kept as read; in longer runs neighbours are merged. 256 points take 7 KiB of a device's 96: the 3,600 of twelve minutes
 * would take 95, and those of 256 nodes of 8 GPUs twice what the results of a job may take (`size-caps.ts`).
 */
export const MOST_POINTS = 256;

/** Most intervals of throttling: if the reasons changed with every reading, they would take more room than the points. */
export const MOST_STRETCHES = 100;

const column = <T extends z.ZodType>(value: T) => z.array(value).max(MOST_POINTS);

/** A column for each sensor, so that names are not repeated for each point; null if the sensor gave no value. */
export const sensorSeries = z
  .object({
    /** since the start of the program that measured the device */
    seconds: column(z.number().nonnegative().max(1e8)),
    power_watts: column(figureUpTo(figureLimits.power_consumption_watts)),
    temperature_celsius: column(temperature),
    clock_mhz: column(figureUpTo(100_000)),
    /** intervals of points, both ends included, in which the device gave reasons for running below its clock */
    throttled: z
      .array(
        z.object({
          first: z.int().nonnegative().max(MOST_POINTS),
          last: z.int().nonnegative().max(MOST_POINTS),
          reasons: z.array(text(40, 1)).min(1).max(20),
        }),
      )
      .max(MOST_STRETCHES),
  })
  .refine(
    ({ seconds, power_watts, temperature_celsius, clock_mhz }) =>
      [power_watts, temperature_celsius, clock_mhz].every(({ length }) => length === seconds.length),
    'each sensor has a value or null for every point',
  );
export type SensorSeries = z.infer<typeof sensorSeries>;
