import type { PrefixRow } from '../shipped/tables.ts';

export interface PostcodePrefixes {
  /** The zone that a post code's beginning names, and the list that says so; null: the country has no zones, or none for it. */
  find: (countryCode: string, postcode: string) => { zone: string; basis: string } | null;
}

/** The longest beginning wins. Rows hold ranges of beginnings of the same length, both included. */
export function postcodePrefixes(rows: readonly PrefixRow[]): PostcodePrefixes {
  const byCountry = Map.groupBy(
    rows.toSorted((a, b) => b.from.length - a.from.length),
    (row) => row.country_code,
  );
  return {
    find: (countryCode, postcode) => {
      const plain = postcode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
      return (
        byCountry.get(countryCode)?.find(({ from, to }) => {
          const start = plain.slice(0, from.length);
          return start.length === from.length && start >= from && start <= to;
        }) ?? null
      );
    },
  };
}
