/** Rows of numbers in one growing block: thousands of them are written in a run without an object for each. */
export interface NumberRows {
  readonly width: number;
  length: number;
  data: Float64Array;
}

/** No rows yet, of `width` numbers each. */
export function numberRows(width: number): NumberRows {
  return { width, length: 0, data: new Float64Array(64 * width) };
}

/** Adds a row of zeros. @returns where its numbers begin in `data` */
export function addRow(rows: NumberRows): number {
  const at = rows.length * rows.width;
  if (at === rows.data.length) {
    const grown = new Float64Array(2 * at);
    grown.set(rows.data);
    rows.data = grown;
  }
  rows.length += 1;
  return at;
}

/** What `read` makes of every row; it is given the block and where the row begins. */
export function readRows<Row>(rows: NumberRows, read: (data: Float64Array, at: number) => Row): Row[] {
  return Array.from({ length: rows.length }, (_, row) => read(rows.data, row * rows.width));
}
