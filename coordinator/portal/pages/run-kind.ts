import { arithmeticName, isGemmMetric } from '../../contract/matrix-engine.ts';
import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import type { Measured } from './run-figures.ts';

/** A run, as far as figures of it may be held against those of another. */
export interface RunKind {
  simulated: boolean;
  /** of processors, not of GPUs; null: no device delivered */
  isOfProcessors: boolean | null;
  /** how long it measured; null if its agent did not say, `mixed` if its nodes differ */
  tier: string | null;
}

/** What its devices say of it. */
export const kindOfDevices = (
  devices: readonly Pick<QuickMarkTestResult, 'simulated' | 'vendor'>[],
): Omit<RunKind, 'tier'> => ({
  simulated: devices.some(({ simulated }) => simulated),
  isOfProcessors: devices[0] === undefined ? null : devices[0].vendor === 'cpu',
});

/** How a figure was computed. */
type Computed = Pick<Measured, 'engine' | 'arithmetic'>;

/**
 * Why the figures of two runs are not compared, in words that follow "because"; null if they are. What nobody says may differ, so
 * it is compared with nothing.
 */
export function whyNotCompared(
  metric: string,
  here: { run: RunKind; figure: Computed },
  there: { run: RunKind; figure: Computed },
): string | null {
  return otherRun(here.run, there.run) ?? otherComputation(metric, here.figure, there.figure);
}

function otherRun(here: RunKind, there: RunKind): string | null {
  if (here.simulated !== there.simulated) return 'one is simulated and the other is not';
  if (here.isOfProcessors !== there.isOfProcessors) return 'one is a processor and the other a GPU';
  return difference({ said: 'measured for', one: 'time', of: (tier: string) => `tier ${tier}` }, here.tier, there.tier);
}

function otherComputation(metric: string, here: Computed, there: Computed): string | null {
  if (!isGemmMetric(metric)) return null;
  const engine = difference({ said: 'computed by', one: 'engine' }, here.engine, there.engine);
  if (engine !== null || metric !== 'fp32_tflops') return engine;
  return difference({ said: 'computed in', one: 'arithmetic', of: arithmeticName }, here.arithmetic, there.arithmetic);
}

interface Words<T> {
  said: string;
  /** what has to be one */
  one: string;
  of?: (value: T) => string;
}

function difference<T extends string>({ said, one, of }: Words<T>, here: T | null, there: T | null): string | null {
  if (here !== null && here === there && here !== 'mixed') return null;
  const words = (value: T | null): string => (value === null ? 'not told' : (of?.(value) ?? value));
  const what =
    here === null || there === null ? `not known to be ${said} the same ${one}` : `${said} different ${one}s`;
  return `${what}: ${words(here)} here, ${words(there)} there`;
}
