import type { ZoneEmissionRate } from '../contract/carbon.ts';
import { countryName } from './countries.ts';
import { updatedTime } from './estimate.ts';
import { isOfHours } from './factors/choose-factor.ts';
import type { HotCarbon } from './hot-carbon.ts';
import { resolvePostcode, type Postcode } from './places/resolve-postcode.ts';

/** The rate at a post code with its origin; null if nothing is published for the place. */
export function zoneEmissionRate(
  carbon: HotCarbon,
  { zipcode, country_code }: Postcode,
  at: Date,
): { carbon_emission_rate: ZoneEmissionRate | null } {
  const resolved = resolvePostcode(carbon, { zipcode, country_code }, at);
  if (!resolved) return { carbon_emission_rate: null };
  const { zone, factor, rule, others } = resolved;
  return {
    carbon_emission_rate: {
      zipcode,
      country_code,
      country_name: countryName(country_code) ?? country_code,
      carbon_region_code: zone,
      carbon_emission_rate: factor.g_per_kwh,
      carbon_emission_rate_type: factor.kind,
      emission_factor_type: factor.basis,
      extra_data: {
        zone_name: carbon.zoneNames.get(zone) ?? zone,
        resolved_by: rule,
        other_regions: [...others],
        period: isOfHours(factor) ? 'hour' : 'year',
        source: factor.title,
        source_edition: factor.scope,
        source_year: factor.source_year,
        source_row: factor.source_row,
        licence: factor.licence,
        credit: factor.credit,
        valid_from: factor.valid_from.toISOString(),
        valid_to: factor.valid_to.toISOString(),
      },
      updated_time: updatedTime(resolved),
    },
  };
}
