const BLOCK_ROWS = 1_024;

/** Rows of numbers in blocks: thousands are written in a run without an object for each. */
export interface NumberRows {
  readonly width: number;
  length: number;
  readonly blocks: Float64Array[];
  /** The block of the newest row. */
  block: Float64Array;
}

/** No rows yet, of `width` numbers each. */
export function numberRows(width: number): NumberRows {
  return { width, length: 0, blocks: [], block: new Float64Array(0) };
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

/** What `read` makes of every row; it is given a block and where the row begins in it. */
export function readRows<Row>(
  { length, width, blocks }: NumberRows,
  read: (data: Float64Array, at: number) => Row,
): Row[] {
  return Array.from({ length }, (_, row) =>
    read(blocks[Math.floor(row / BLOCK_ROWS)] as Float64Array, (row % BLOCK_ROWS) * width),
  );
}

/** Number of a text in a short list, to which it is added when it is new. Texts themselves would make rows slow. */
export function codeOf(known: string[], text: string): number {
  for (let code = 0; code < known.length; code++) if (known[code] === text) return code;
  return known.push(text) - 1;
}
