/** A publisher of factors, with its licence and the credit that the licence asks for. */
export interface Source {
  title: string;
  licence: string;
  credit: string;
  /** derived data must be shared under the same licence */
  share_alike: boolean;
}

export const sources = {
  watttime: {
    title: 'WattTime, emissions of a region by time',
    licence: 'terms of the WattTime API',
    credit: 'WattTime',
    share_alike: false,
  },
  egrid: {
    title: 'EPA eGRID',
    licence: 'public domain',
    credit: 'U.S. Environmental Protection Agency, eGRID',
    share_alike: false,
  },
  'epa-zips': {
    title: 'EPA Power Profiler, zip codes and subregions',
    licence: 'MIT',
    credit: 'U.S. Environmental Protection Agency, Power Profiler',
    share_alike: false,
  },
  'electricity-maps-live': {
    title: 'Electricity Maps, carbon intensity of the hour',
    licence: 'terms of the Electricity Maps API',
    credit: 'Electricity Maps',
    share_alike: false,
  },
  'electricity-maps-regions': {
    title: 'Electricity Maps, zones of data centers',
    licence: 'AGPL-3.0',
    credit: 'Electricity Maps, electricitymaps-contrib',
    share_alike: true,
  },
  'google-regions': {
    title: 'Google Cloud, region carbon info',
    licence: 'Apache-2.0',
    credit: 'Google Cloud, region-carbon-info',
    share_alike: false,
  },
  ccf: {
    title: 'Cloud Carbon Footprint, grid factors of regions',
    licence: 'Apache-2.0',
    credit: 'Cloud Carbon Footprint',
    share_alike: false,
  },
  geonames: {
    title: 'GeoNames, post codes',
    licence: 'CC-BY-4.0',
    credit: 'GeoNames',
    share_alike: false,
  },
  operator: {
    title: 'Loaded by the operator',
    licence: 'as the row says',
    credit: 'as the row says',
    share_alike: false,
  },
  'electricity-maps': {
    title: 'Electricity Maps, yearly carbon intensity by zone',
    licence: 'ODbL-1.0',
    credit: 'Electricity Maps, by way of @tgwf/co2',
    share_alike: true,
  },
  ember: {
    title: 'Ember, yearly carbon intensity by country',
    licence: 'CC-BY-SA-4.0',
    credit: 'Ember, by way of @tgwf/co2',
    share_alike: true,
  },
  'ember-yearly': {
    title: 'Ember, yearly electricity data',
    licence: 'CC-BY-4.0',
    credit: 'Ember, Yearly Electricity Data',
    share_alike: false,
  },
  unfccc: {
    title: 'UNFCCC harmonised grid emission factors 2021, operating margin',
    licence: 'CC-BY-SA-4.0',
    credit: 'UNFCCC, by way of @tgwf/co2',
    share_alike: true,
  },
  'provider-regions': {
    title: 'Where providers say that their regions lie',
    licence: 'Apache-2.0',
    credit: 'gpumark',
    share_alike: false,
  },
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;

/**
 * Of several averages for one zone and basis, the first of these sources is used; a source that is not listed comes before all
 * of them, because an operator has loaded it on purpose.
 */
export const preference: readonly SourceName[] = ['egrid', 'electricity-maps', 'ember-yearly', 'ember'];
