/** The row of a query that always returns one, such as a count. Throws if there is no row, more than one, or an array hole. */
export function one<Row>(rows: readonly Row[]): Row {
  const row = maybeOne(rows);
  if (row === undefined) throw new UnexpectedRows('no row where a query must have one');
  return row;
}

/** The row of a query that returns at most one, or undefined. Throws on several rows, or on an array hole instead of the row. */
export function maybeOne<Row>(rows: readonly Row[]): Row | undefined {
  if (rows.length === 0) return undefined;
  if (rows.length > 1) throw new UnexpectedRows(`${rows.length} rows where a query has at most one`);
  const row = rows[0];
  if (row === undefined) throw new UnexpectedRows('a hole where the row of a query should be');
  return row;
}

/** The rows are not what the query can return: an internal error, never a "not found". */
export class UnexpectedRows extends Error {
  override readonly name = 'UnexpectedRows';
}
