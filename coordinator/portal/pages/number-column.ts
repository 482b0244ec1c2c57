import { figure } from '../components/numbers.ts';
import type { Column } from '../frame/listing.ts';

/** A column of figures formatted for the page; files have all digits. */
export const number = <Row>(name: string, label: string, of: (row: Row) => number | null): Column<Row> => ({
  name,
  label,
  value: of,
  cell: (row) => figure(of(row)),
  isNumber: true,
});
