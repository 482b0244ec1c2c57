import { DomainError } from '../../platform/errors.ts';
import { note } from '../components/note.ts';
import { attempt } from '../frame/attempt.ts';
import { html, type Content } from '../frame/html.ts';
import type { Listing, Table } from '../frame/listing.ts';
import { get, list, type PageRoute } from '../frame/route.ts';
import type { Access, Visit } from '../frame/visit.ts';

interface Parts<Row, Found extends Listing<Row>> {
  table: Table<Row>;
  load: (visit: Visit) => Promise<Found>;
  /** called with the result, or with the reason why there is none, which the page shows next to its form */
  show: (visit: Visit, found: Found | null, reason: Content) => Promise<Response>;
}

/**
 * A list whose query may have no answer, such as a place without prices: its page then keeps the form and states the
 * reason; CSV and JSON return the API's error.
 */
export function listOrReason<Row, Found extends Listing<Row>>(
  path: string,
  access: Access & Pick<PageRoute, 'holds' | 'example'>,
  { table, load, show }: Parts<Row, Found>,
): PageRoute[] {
  const files = list<Row>(path, access, { table, load, show: (visit) => show(visit, null, null) }).filter(
    ({ isPlain }) => isPlain === true,
  );
  const page = get(path, access, async (visit) => {
    const tried = await attempt(async () => {
      try {
        return { found: await load(visit) };
      } catch (error) {
        if (error instanceof DomainError && error.kind === 'validation') throw error;
        return { thrown: error };
      }
    });
    if ('errors' in tried)
      return show(
        visit,
        null,
        note('warn', 'Nothing can be shown for this.', html`${[...tried.errors.values()].join('; ')}.`),
      );
    if ('thrown' in tried.done) throw tried.done.thrown;
    return show(visit, tried.done.found, null);
  });
  return [...files, page];
}
