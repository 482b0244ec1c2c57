import { ALL_COUNTRIES, UNKNOWN_COUNTRY } from '../contract/market.ts';

// The runtime's own table (CLDR) names every ISO 3166-1 code.
const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

/** English name of an ISO 3166-1 alpha-2 code. */
export const countryName = (code: string): string =>
  code === UNKNOWN_COUNTRY ? 'Not stated' : code === ALL_COUNTRIES ? 'All countries' : (names.of(code) ?? code);
