/**
 * The one row of a query that always has exactly one, such as an aggregate or an INSERT … RETURNING.
 * @throws {Error} for any other number of rows
 */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`the database answered ${rows.length} rows, not one`);
  return row;
}
