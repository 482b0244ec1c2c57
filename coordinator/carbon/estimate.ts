import { business } from './find-gpu.ts';
import type { Resolved } from './places/resolve-postcode.ts';

const NO_DATA = 34003;

/** g CO2e of a power in watts over `hours`, at `rate` g CO2e per kWh. */
export const gramsOf = (watts: number, hours: number, rate: number): number => (watts / 1000) * hours * rate;

/** When the table was published, else when it was loaded: ISO time in UTC without a zone, as these answers show it. */
export function updatedTime({ factor: { published_on, loaded_at } }: Resolved): string {
  return published_on === null ? loaded_at.toISOString().slice(0, 19) : `${published_on}T00:00:00`;
}

export function requireFactor(resolved: Resolved | null, place: string): Resolved {
  if (resolved) return resolved;
  throw business(`No data is available for the selected region: ${place}.`, NO_DATA);
}
