import type { SystemFacts } from '../run/host.ts';

interface Module {
  size: number;
  type: string;
  clockSpeed: number | null;
}

/** SMBIOS 7.18.2, as dmidecode writes them: firmware and storage, which are no working memory. */
const NOT_MEMORY = /^(logical non-volatile device|flash|(ee|fe|e)?prom|rom)$/i;
/** A type that the firmware does not name, or names wrongly. */
const UNKNOWN = /^(|unknown|other|reserved|ram|dram|<out of spec>)$/i;

/**
 * The installed modules; null if there are none, as without dmidecode, when systeminformation reports the whole memory
 * as one module without a type. Persistent memory and the firmware's own chips are left out. The speed is the lowest
 * configured one, at which all of them work.
 */
export function memoryModules(layout: readonly Module[]): SystemFacts['modules'] {
  const installed = layout.filter(
    ({ size, type }) => size > 0 && !['', 'Empty'].includes(type) && !NOT_MEMORY.test(type),
  );
  if (installed.length === 0) return null;
  const types = new Set(installed.map(({ type }) => type.trim()).filter((type) => !UNKNOWN.test(type)));
  const speeds = installed.map(({ clockSpeed }) => clockSpeed ?? 0).filter((speed) => speed > 0);
  return {
    count: installed.length,
    type: types.size === 0 ? null : [...types].toSorted().join(', '),
    speed_mts: speeds.length === 0 ? null : Math.min(...speeds),
  };
}
