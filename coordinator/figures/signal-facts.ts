import type { NodeSignal } from '../contract/health.ts';

/** A signal with, if its number alone says little, words for what was read. */
export interface Signal extends NodeSignal {
  told?: string;
}

/** A card as its signals are read: what its runner said of it and of its run. */
export interface SignalledCard {
  device_id: string;
  name: string;
  vendor: 'nvidia' | 'amd' | 'cpu';
  isPart: boolean;
  details: (metric: string) => Record<string, unknown>;
}

export type Facts = Record<string, unknown>;

/** Reads facts of the device and of the run by path, and says why one is missing. */
export class FactReader {
  readonly #device: Facts;
  readonly #run: Facts;
  readonly #problems: Facts;

  constructor(device: Facts, run: Facts) {
    this.#device = device;
    this.#run = run;
    this.#problems = { ...factsOf(run['health_problems']), ...factsOf(device['health_problems']) };
  }

  device = (path: string): unknown => at(this.#device, path);
  run = (path: string): unknown => at(this.#run, path);

  /** Why a fact is missing, as the runner says or as the absence of all of them does. */
  why(path: string): string {
    const [fact = path] = path.split('.');
    const told = this.#problems[path] ?? this.#problems[fact];
    if (typeof told === 'string' && told !== '') return told.slice(0, 200).toWellFormed();
    const { telemetry_problem: blind } = this.#device;
    if (typeof blind === 'string' && blind !== '') return blind.slice(0, 200).toWellFormed();
    return Object.hasOwn(this.#device, fact) || Object.hasOwn(this.#run, fact)
      ? 'the driver did not tell it'
      : 'the agent of this run does not report it';
  }
}

const at = (facts: Facts, path: string): unknown =>
  path.split('.').reduce<unknown>((held, name) => factsOf(held)[name], facts);

/** A number before the run and how far it changed; either may be missing. */
export function counter(facts: FactReader, signal: string, level: string | null, change: string | null): Signal {
  const value = level === null ? null : numberOf(facts.device(level));
  const during = change === null ? null : numberOf(facts.run(change));
  const missing = [level !== null && value === null ? level : null, change !== null && during === null ? change : null];
  const reason = missing.find((path) => path !== null);
  return { signal, value, during_run: during, ...(reason ? { not_read: facts.why(reason) } : {}) };
}

export function flag(facts: FactReader, signal: string, path: string, after?: string): Signal {
  const now = after === undefined ? undefined : facts.run(after);
  const found = now === true ? true : facts.device(path);
  return typeof found === 'boolean' ? { signal, value: found } : { signal, value: null, not_read: facts.why(path) };
}

export function textOf(facts: FactReader, signal: string, path: string): Signal {
  const found = facts.device(path);
  return typeof found === 'string' && found !== ''
    ? { signal, value: found.slice(0, 200).toWellFormed() }
    : { signal, value: null, not_read: facts.why(path) };
}

/** A sum of which every part must be known. */
export function summed(
  facts: FactReader,
  signal: string,
  parts: readonly (number | null)[],
  path: string,
  as: 'value' | 'during_run',
): Signal {
  const known = parts.filter((part) => part !== null);
  const sum = known.length === parts.length ? known.reduce((total, part) => total + part, 0) : null;
  const reason = sum === null ? { not_read: facts.why(path) } : {};
  return as === 'value' ? { signal, value: sum, ...reason } : { signal, value: null, during_run: sum, ...reason };
}

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

export const factsOf = (value: unknown): Facts =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Facts) : {};
