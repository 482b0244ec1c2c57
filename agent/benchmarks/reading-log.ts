import { mean, orNull } from '../../coordinator/figures/statistics.ts';
import type { RunnerEventOf } from '../kernels/runner-events.ts';

type Reading = RunnerEventOf<'telemetry'>;

/** Sensor readings of one device in bounded space: when the log is full, neighbouring points are merged. */
export class ReadingLog {
  readonly #most: number;
  /** number of readings per point */
  #perPoint = 1;
  #points: Reading[] = [];
  #open: Reading[] = [];

  /** @param most maximum number of points, even */
  constructor(most: number) {
    this.#most = most;
  }

  add(reading: Reading): void {
    if (this.#most === 0) return;
    this.#open.push(reading);
    if (this.#open.length < this.#perPoint) return;
    this.#points.push(...merged(this.#open));
    this.#open = [];
    if (this.#points.length < this.#most) return;
    this.#points = Array.from({ length: this.#most / 2 }, (_, at) =>
      merged(this.#points.slice(2 * at, 2 * at + 2)),
    ).flat();
    this.#perPoint *= 2;
  }

  /** In order of time. */
  points(): Reading[] {
    return [...this.#points, ...merged(this.#open)];
  }
}

/** Merges readings into one at the time of the first: means, the hottest temperature, all throttle reasons. */
function merged(readings: readonly Reading[]): Reading[] {
  const [first] = readings;
  if (first === undefined || readings.length === 1) return [...readings];
  const known = (of: (reading: Reading) => number | null): number[] => readings.flatMap((reading) => of(reading) ?? []);
  const most = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));
  const said = readings.flatMap(({ throttle }) => (throttle === null ? [] : [throttle]));
  return [
    {
      ...first,
      power_watts: orNull(mean(known((reading) => reading.power_watts))),
      temperature_celsius: most(known((reading) => reading.temperature_celsius)),
      clock_mhz: orNull(mean(known((reading) => reading.clock_mhz))),
      memory_clock_mhz: orNull(mean(known((reading) => reading.memory_clock_mhz))),
      memory_temperature_celsius: most(known((reading) => reading.memory_temperature_celsius)),
      throttle: said.length === 0 ? null : [...new Set(said.flat())],
    },
  ];
}
