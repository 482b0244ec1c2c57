import { median } from '../../coordinator/figures/statistics.ts';
import type { RunnerEventOf } from '../../agent/kernels/runner-events.ts';

interface Range {
  min: number;
  median: number;
  max: number;
  n: number;
}

/** What the sensors of one device said over one run. */
export interface Watched {
  power_watts: Range | null;
  temperature_celsius: Range | null;
  clock_mhz: Range | null;
  memory_clock_mhz: Range | null;
  /** every reason that was seen at least once */
  throttle: string[];
}

const sensors = ['power_watts', 'temperature_celsius', 'clock_mhz', 'memory_clock_mhz'] as const;

/** Sums up telemetry events per device. */
export class TelemetryWatch {
  readonly #seen = new Map<string, RunnerEventOf<'telemetry'>[]>();

  add(event: RunnerEventOf<'telemetry'>): void {
    const events = this.#seen.get(event.device_id) ?? [];
    events.push(event);
    this.#seen.set(event.device_id, events);
  }

  perDevice(): Record<string, Watched> {
    return Object.fromEntries([...this.#seen].map(([id, events]) => [id, watched(events)]));
  }
}

function watched(events: readonly RunnerEventOf<'telemetry'>[]): Watched {
  const [power_watts, temperature_celsius, clock_mhz, memory_clock_mhz] = sensors.map((sensor) =>
    rangeOf(events.map((event) => event[sensor]).filter((value) => value !== null)),
  );
  return {
    power_watts: power_watts ?? null,
    temperature_celsius: temperature_celsius ?? null,
    clock_mhz: clock_mhz ?? null,
    memory_clock_mhz: memory_clock_mhz ?? null,
    throttle: [...new Set(events.flatMap((event) => event.throttle ?? []))],
  };
}

function rangeOf(values: readonly number[]): Range | null {
  if (values.length === 0) return null;
  return { min: Math.min(...values), median: median(values), max: Math.max(...values), n: values.length };
}
