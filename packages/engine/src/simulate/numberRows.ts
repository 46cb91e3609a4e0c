const BLOCK_ROWS = 1_024;

/** Rows of numbers in blocks, with texts beside them: thousands are written in a run without an object for each. */
export interface NumberRows {
  readonly width: number;
  length: number;
  readonly blocks: Float64Array[];
  /** The block of the newest row. */
  block: Float64Array;
  /** The same number of texts for each row. */
  readonly texts: string[];
}

/** No rows yet, of `width` numbers each. */
export function numberRows(width: number): NumberRows {
  return { width, length: 0, blocks: [], block: new Float64Array(0), texts: [] };
}

/** Adds a row of zeros. @returns where its numbers begin in `block` */
export function addRow(rows: NumberRows): number {
  const row = rows.length % BLOCK_ROWS;
  if (row === 0) {
    rows.block = new Float64Array(BLOCK_ROWS * rows.width);
    rows.blocks.push(rows.block);
  }
  rows.length += 1;
  return row * rows.width;
}

/** What `read` makes of every row; it is given a block, where the row begins in it, and which row it is. */
export function readRows<Row>(
  { length, width, blocks }: NumberRows,
  read: (data: Float64Array, at: number, row: number) => Row,
): Row[] {
  return Array.from({ length }, (_, row) =>
    read(blocks[Math.floor(row / BLOCK_ROWS)] as Float64Array, (row % BLOCK_ROWS) * width, row),
  );
}
