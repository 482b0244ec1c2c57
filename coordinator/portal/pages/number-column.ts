import { figure } from '../components/numbers.ts';
import type { Column } from '../frame/listing.ts';

/** A column of figures as pages write them; files have all digits. */
export const number = <Row>(name: string, label: string, of: (row: Row) => number | null): Column<Row> => ({
  name,
  label,
  value: of,
  cell: (row) => figure(of(row)),
  isNumber: true,
});
