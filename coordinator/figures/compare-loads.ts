import { hasLoadClass, isClass, loadName, loadOf, type LoadClass, type LoadMark } from '../contract/load-class.ts';
import type { QuickMarkTestResult } from '../contract/quick-mark.ts';

/** What tells the load of a figure. A summary of a job leaves out `details`, after they were checked on arrival. */
interface Told {
  gemm?: QuickMarkTestResult['gemm'];
  details?: QuickMarkTestResult['details'];
}

/** Load class behind one figure of a device; null if unknown or if the metric has none. */
export function loadBehind({ gemm, details = {} }: Told, metric: string): LoadClass | null {
  if (!hasLoadClass(metric)) return null;
  const found = details[metric];
  const record: Record<string, unknown> = found !== null && typeof found === 'object' ? { ...found } : {};
  return loadOf(metric, { ...record, load: record['load'] ?? gemm?.[metric]?.load });
}

/** The facts about a device's products with the classes that their records bear out. */
export const checkedLoads = (device: Told): NonNullable<QuickMarkTestResult['gemm']> =>
  Object.fromEntries(
    Object.entries(device.gemm ?? {}).map(([metric, { load: _theirs, ...figure }]) => {
      const load = loadBehind(device, metric);
      return [metric, load === null ? figure : { ...figure, load }];
    }),
  );

/** A settled figure has been under load for long enough to stand beside sustained ones. */
export const atLeast = <T extends LoadMark>(load: T | null): T | 'sustained' | null =>
  load === 'settled' ? 'sustained' : load;

/** The class of figures of several devices, in which each of them is: `mixed` if there is none, null without figures. */
export function jointLoad(loads: readonly (LoadMark | null)[]): LoadMark | null {
  const [first = null, ...others] = new Set(loads);
  if (others.length === 0) return first;
  const [least = null, ...different] = new Set(loads.map(atLeast));
  return different.length === 0 ? least : 'mixed';
}

/** Whether two figures of a metric may be compared as far as their loads go. */
export const sameLoad = (metric: string, here: LoadMark | null, there: LoadMark | null): boolean =>
  !hasLoadClass(metric) || (isClass(here) && here === there);

/** Why two figures of the same name are shown together without a verdict. A null load is unknown. */
export const otherLoad = (other: string, here: LoadMark | null, there: LoadMark | null): string =>
  `not compared with ${other}: measured ${loadName(here)}, there ${loadName(there)}; ${WHY}`;

export const WHY = 'a card is faster in its first second than it stays, so only figures of one load class are compared';
