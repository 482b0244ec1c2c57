import { z } from 'zod';
import { figureLimits, figureUpTo, temperature } from './figure-limits.ts';
import { text } from './wire.ts';

/**
 * Points of a device's sensors over time that a result carries. Five readings a second for the up to 46 s of a quick run are
 * 230, all kept as they were read; of longer runs neighbours are merged. 256 points are 7 KiB of the 64 that a device may have:
 * the 3,600 of twelve minutes would be 95, and of 256 nodes of 8 GPUs twice what the results of a job may be (`size-caps.ts`).
 */
export const MOST_POINTS = 256;

/** Of a device whose reasons change with every reading these take more room than its points. */
export const MOST_STRETCHES = 100;

const column = <T extends z.ZodType>(value: T) => z.array(value).max(MOST_POINTS);

/** A column for each sensor, so that a point has no names of its own: null if the sensor said nothing. */
export const sensorSeries = z
  .object({
    /** since the program that measured the device began */
    seconds: column(z.number().nonnegative().max(1e8)),
    power_watts: column(figureUpTo(figureLimits.power_consumption_watts)),
    temperature_celsius: column(temperature),
    clock_mhz: column(figureUpTo(100_000)),
    /** stretches of points, first and last with them, in which the device gave reasons for running below its clock */
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
