import { loadName } from '../../contract/load-class.ts';
import { sameLoad } from '../../figures/compare-loads.ts';
import { arithmeticName, isGemmMetric } from '../../contract/matrix-engine.ts';
import type { QuickMarkTestResult } from '../../contract/quick-mark.ts';
import type { Measured } from './run-figures.ts';

/** The properties of a run that decide whether its figures can be compared with another's. */
export interface RunKind {
  simulated: boolean;
  /** of processors, not of GPUs; null: no device delivered results */
  isOfProcessors: boolean | null;
  /** how long it measured; null if its agent did not report it, `mixed` if its nodes differ */
  tier: string | null;
}

/** The kind of a run without its tier, derived from its devices. */
export const kindOfDevices = (
  devices: readonly Pick<QuickMarkTestResult, 'simulated' | 'vendor'>[],
): Omit<RunKind, 'tier'> => ({
  simulated: devices.some(({ simulated }) => simulated),
  isOfProcessors: devices[0] === undefined ? null : devices[0].vendor === 'cpu',
});

type Computed = Pick<Measured, 'engine' | 'arithmetic' | 'load'>;

/**
 * Why the figures of two runs are not compared, worded to follow "because"; null if they are. A property that is
 * unknown may differ, so such a run is not compared with any other.
 */
export function whyNotCompared(
  metric: string,
  here: { run: RunKind; figure: Computed },
  there: { run: RunKind; figure: Computed },
): string | null {
  return (
    otherRun(here.run, there.run) ??
    otherComputation(metric, here.figure, there.figure) ??
    otherLoad(metric, here.figure, there.figure)
  );
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

function otherLoad(metric: string, { load: here }: Computed, { load: there }: Computed): string | null {
  if (sameLoad(metric, here, there)) return null;
  return here === there
    ? `both were measured ${loadName(here)}`
    : `measured under different loads: ${loadName(here)} here, ${loadName(there)} there`;
}

interface Words<T> {
  said: string;
  /** what has to be the same */
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
