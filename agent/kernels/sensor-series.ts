import type { SensorSeries } from '../../coordinator/contract/sensor-series.ts';
import type { RunnerEvent } from './runner-events.ts';

/** What the sensors of a device reported over time; null if they reported nothing. */
export function sensorSeriesOf(events: readonly RunnerEvent[], deviceId: string): SensorSeries | null {
  const readings = events.filter((event) => event.event === 'telemetry').filter((one) => one.device_id === deviceId);
  if (readings.length === 0) return null;
  const column = (of: (reading: (typeof readings)[number]) => number | null, digits: number) =>
    readings.map((reading) => {
      const value = of(reading);
      return value === null ? null : Number(value.toFixed(digits));
    });
  return {
    seconds: readings.map(({ t_ms }) => Number((t_ms / 1000).toFixed(2))),
    power_watts: column((reading) => reading.power_watts, 1),
    temperature_celsius: column((reading) => reading.temperature_celsius, 1),
    clock_mhz: column((reading) => reading.clock_mhz, 0),
    throttled: stretchesOf(readings.map(({ throttle }) => throttle ?? [])),
  };
}

/** Neighbours with the same reasons form one stretch; those without reasons form none. */
function stretchesOf(reasons: readonly (readonly string[])[]): SensorSeries['throttled'] {
  const stretches: SensorSeries['throttled'] = [];
  for (const [at, these] of reasons.entries()) {
    if (these.length === 0) continue;
    const before = stretches.at(-1);
    if (before !== undefined && before.last === at - 1 && before.reasons.join() === these.join()) before.last = at;
    else stretches.push({ first: at, last: at, reasons: [...these] });
  }
  return stretches;
}
