import type { Connector } from './connector.ts';
import { dateInName } from './reading/date-in-name.ts';

/**
 * The day that is said of a place: by the operator, else by the date in its name. Null: nobody says; an address is then of
 * today, since it is fetched now, and rows with dates of their own need no other. Throws for a file without either: it may
 * lie about for months, and its prices would become today's.
 */
export function dayOfPlace(
  { name, rowsSayDay }: Pick<Connector, 'name' | 'rowsSayDay'>,
  place: string,
  asOf: string | null,
): Date | null {
  const said = asOf === null ? dateInName(place) : new Date(asOf);
  if (said !== null || rowsSayDay === true || /^https?:/i.test(place)) return said;
  throw new Error(
    `${place}: neither its name nor its rows say of which day its prices are. Add --as-of YYYY-MM-DD (${name}), or put the day into its name.`,
  );
}
