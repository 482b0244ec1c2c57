import { findRegion } from './providers.ts';
import type { HotCarbon } from './hot-carbon.ts';
import { resolvePostcode, resolveRegion, type Postcode, type Resolved } from './places/resolve-postcode.ts';
import type { StoredFactor } from './factors/factor.ts';

export type Place = Postcode | { provider: string; code: string };

export interface CarbonExplanation {
  /** the place as understood */
  place: string;
  /** null if nothing is published for the place */
  answer: (Resolved & { zoneName: string }) | null;
  /** other factors of the zone, which were not used: earlier years, marginals, another basis; for a region also its own */
  others: readonly StoredFactor[];
}

/** The whole chain from a place to its figure. Null if the provider has no such region. */
export function explainCarbon(carbon: HotCarbon, place: Place, at: Date): CarbonExplanation | null {
  if (!('provider' in place))
    return explained(
      carbon,
      `post code "${place.zipcode}" of ${place.country_code}`,
      resolvePostcode(carbon, place, at),
    );
  const region = findRegion(carbon, place.provider, place.code);
  if (!region) return null;
  const named = `${region.provider} ${region.code}: ${region.name}, ${region.country_code}`;
  return explained(carbon, named, resolveRegion(carbon, region, at), `${region.provider}:${region.code}`);
}

/** `ownZone`: where lists by region store their factors. Their basis differs or is unknown, so they are never used. */
function explained(
  carbon: HotCarbon,
  place: string,
  resolved: Resolved | null,
  ownZone: string | null = null,
): CarbonExplanation {
  const own = ownZone === null ? [] : (carbon.factors.get(ownZone) ?? []);
  if (!resolved) return { place, answer: null, others: own };
  const { zone, factor } = resolved;
  const others = [...(carbon.factors.get(zone) ?? []).filter((other) => other !== factor), ...own];
  return { place, answer: { ...resolved, zoneName: carbon.zoneNames.get(zone) ?? zone }, others };
}
