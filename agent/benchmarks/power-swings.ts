import type { RunnerEvent } from '../kernels/runner-events.ts';
import type { Tier } from '../run/run-options.ts';
import type { CollectedRun } from './collect-run.ts';

const PIECE = 'swings';
/** Its work is compared bit for bit, so that what a swing damages is found. */
const LOAD = 'repeat';

/**
 * The piece of a soak in which all devices begin and end a load together, again and again: the node's power swings between idle
 * and full as at the steps of a training run.
 */
export const swingsPiece = (
  swings: number,
  spanning: readonly string[],
): { id: string; args: string[]; tier: Tier } => ({
  id: PIECE,
  args: ['--benchmarks', [LOAD, ...spanning].join(','), '--swings', String(swings)],
  tier: 'quick',
});

/**
 * The figures of the load are the soak's own, which measured it for longer: of the swings only what failed its check is kept,
 * and in the details of the temperature how many there were and what the sensors said.
 */
export function withoutSwings(piece: string, run: CollectedRun, swings: number): CollectedRun {
  if (piece !== PIECE) return run;
  const events = run.events.flatMap((event): RunnerEvent[] => {
    if (event.event !== 'result') return [event];
    if (event.benchmark === LOAD) return event.verified === false ? [event] : [];
    if (event.metric !== 'temperature_centigrade') return [event];
    return [{ ...event, details: { ...event.details, swings: { ...event.details, count: swings } } }];
  });
  return { ...run, events };
}
