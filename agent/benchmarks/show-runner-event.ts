import { figureOf } from '../kernels/figure-of.ts';
import type { RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../ui/run-event.ts';

/** Passes on what people and `--json` readers see of a runner's event. Single samples stay in the runner's statistics. */
export function showRunnerEvent(event: RunnerEvent, emit: Emit): void {
  if (event.event === 'phase') {
    const { device_id, benchmark, state, expected_seconds, index, count } = event;
    emit({ type: 'phase', device_id, benchmark, state, expected_seconds, index, count });
  } else if (event.event === 'result') {
    emit({ type: 'result', device_id: event.device_id, ...figureOf(event) });
  } else if (event.event === 'telemetry') {
    const { device_id, power_watts, temperature_celsius, clock_mhz } = event;
    emit({ type: 'telemetry', device_id, power_watts, temperature_celsius, clock_mhz });
  } else if (event.event === 'error' && event.code !== 'interrupted') {
    const where = event.device_id === null ? '' : `${event.device_id}: `;
    emit({ type: 'notice', level: 'error', message: where + event.message, remedy: event.remedy });
  }
}
