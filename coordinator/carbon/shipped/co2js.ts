import { createHash } from 'node:crypto';
import { averageIntensity, electricityMaps, marginalIntensity } from '@tgwf/co2/data';
import countries from 'i18n-iso-countries';
import type { Edition } from '../factors/edition.ts';
import { ANY_TIME, ofYear, type Factor, type Zone } from '../factors/factor.ts';
import type { SourceName } from '../factors/sources.ts';

/** Version and release day of the package with these tables; the lock file pins the version. */
const PACKAGE = { name: '@tgwf/co2 0.19.0', published_on: '2026-08-22' };
const MARGINAL_YEAR = 2021;

/** Yearly averages of Electricity Maps by zone and of Ember by country, and UNFCCC's marginals, as the package has them. */
export const co2jsEditions = (): Edition[] => [...zoneYears(), averages(), marginals()];

function zoneYears(): Edition[] {
  return Object.entries(electricityMaps).map(([key, { data }]) => {
    const year = Number(key.replace('yearly', ''));
    const zones: Zone[] = [];
    const factors: Factor[] = [];
    for (const [zone, { zone: named, carbonIntensity }] of Object.entries(data)) {
      const { countryName, zoneName } = named;
      zones.push({
        zone,
        name: [countryName, zoneName].filter(Boolean).join(', '),
        country_code: zone.slice(0, 2),
      });
      const source_row = `${key}: ${zone} = ${carbonIntensity.value} ${carbonIntensity.unit}`;
      const about = { basis: 'lifecycle', kind: 'average', source_year: year, source_row } as const;
      factors.push({ zone, ...ofYear(year), g_per_kwh: carbonIntensity.value, ...about });
    }
    return edition('electricity-maps', String(year), zones, factors);
  });
}

function averages(): Edition {
  const { zones, factors } = byCountry(averageIntensity.data, (iso3, value) => ({
    basis: 'lifecycle',
    kind: 'average',
    source_year: null,
    ...ANY_TIME,
    source_row: `averageIntensity: ${iso3} = ${value} gCO2e/kWh, newest year of the country`,
  }));
  return edition('ember', 'newest year by country', zones, factors);
}

function marginals(): Edition {
  const { zones, factors } = byCountry(marginalIntensity.data, (iso3, value) => ({
    basis: 'direct',
    kind: 'marginal',
    source_year: MARGINAL_YEAR,
    ...ofYear(MARGINAL_YEAR),
    source_row: `marginalIntensity: ${iso3} = ${value} gCO2e/kWh`,
  }));
  return edition('unfccc', String(MARGINAL_YEAR), zones, factors);
}

/** Only entries with an ISO 3166 code; continents, unions and islands with names of their own are not places to be requested. */
function byCountry(
  values: Readonly<Record<string, number | string>>,
  about: (iso3: string, value: number) => Omit<Factor, 'zone' | 'g_per_kwh'>,
): { zones: Zone[]; factors: Factor[] } {
  const zones: Zone[] = [];
  const factors: Factor[] = [];
  for (const [iso3, given] of Object.entries(values)) {
    const zone = countries.alpha3ToAlpha2(iso3);
    const value = Number(given);
    if (zone === undefined || !Number.isFinite(value)) continue;
    zones.push({ zone, name: countries.getName(zone, 'en') ?? zone, country_code: zone });
    factors.push({ zone, g_per_kwh: value, ...about(iso3, value) });
  }
  return { zones, factors };
}

function edition(source: SourceName, scope: string, zones: Zone[], factors: Factor[]): Edition {
  return {
    source,
    scope,
    shipped: true,
    published_on: PACKAGE.published_on,
    origin: PACKAGE.name,
    sha256: createHash('sha256').update(JSON.stringify({ zones, factors })).digest(),
    zones,
    factors,
    zips: [],
    regions: [],
    defaultPostcodes: [],
    refused: {},
  };
}
