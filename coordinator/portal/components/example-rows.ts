import { html, type Content } from '../frame/html.ts';
import { tableOf, wholeListing, type Table } from '../frame/listing.ts';
import type { Visit } from '../frame/visit.ts';
import { dataTable } from './data-table.ts';
import { note } from './note.ts';

/** Two made-up rows under the real columns of a table, so that a reader without access sees what it would contain. */
export const exampleRows =
  <Row>(table: Table<Row>, rows: readonly [Row, Row]): ((visit: Visit) => Content) =>
  (visit) =>
    html`<section>
      <h2>What it looks like</h2>
      ${note('plain', 'EXAMPLE.', 'The columns are real. The two rows are made up and were never measured or offered by anybody.')}
      ${dataTable(visit, {
        caption: 'Example, made up',
        table: tableOf(table.columns.map(({ sort: _sort, ...column }) => column)),
        listing: wholeListing(rows),
        shape: 'scroll',
        files: null,
        ifEmpty: null,
      })}
    </section>`;
