import { mean, orNull } from '../../coordinator/figures/statistics.ts';
import type { RunnerEventOf } from '../kernels/runner-events.ts';

type Reading = RunnerEventOf<'telemetry'>;

/** Readings of one device's sensors, however long the run: when there are twice too many for half of them, neighbours are merged. */
export class ReadingLog {
  readonly #most: number;
  /** how many readings a point is made of */
  #perPoint = 1;
  #points: Reading[] = [];
  #open: Reading[] = [];

  /** @param most points that are kept, an even number */
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

/** Several readings as one, at the time of the first: means, of temperatures the hottest, every reason to throttle. */
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
