const BLOCK_ROWS = 1_024;

/** Rows of numbers in blocks, which avoid an object for each of thousands of rows. */
export interface NumberRows {
  readonly width: number;
  length: number;
  readonly blocks: Float64Array[];
  /** The block of the newest row. */
  block: Float64Array;
}

/** Creates an empty table of rows of `width` numbers. */
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

/**
 * Iterates over the rows as `read` converts them, again at each iteration, because a list would need more memory than the run.
 *
 * @param read receives a block and the position of the row in it
 * @param wanted which rows; the default is all
 */
export function readRows<Row>(
  rows: NumberRows,
  read: (data: Float64Array, at: number) => Row,
  wanted: (data: Float64Array, at: number) => boolean = () => true,
): Iterable<Row> {
  return {
    *[Symbol.iterator]() {
      for (let row = 0; row < rows.length; row++) {
        const block = rows.blocks[Math.floor(row / BLOCK_ROWS)] as Float64Array;
        const at = (row % BLOCK_ROWS) * rows.width;
        if (wanted(block, at)) yield read(block, at);
      }
    },
  };
}

/** Returns the newest row that `matches`, as its block and where its numbers begin there; null when there is none. */
export function findLastRow(
  rows: NumberRows,
  matches: (row: Float64Array, i: number) => boolean,
): { readonly row: Float64Array; readonly i: number } | null {
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows.blocks[Math.floor(at / BLOCK_ROWS)] as Float64Array;
    const i = (at % BLOCK_ROWS) * rows.width;
    if (matches(row, i)) return { row, i };
  }
  return null;
}

/** Returns the number of a text in a short list, to which a new text is added. Texts in rows would be slow. */
export function codeOf(known: string[], text: string): number {
  for (let code = 0; code < known.length; code++) if (known[code] === text) return code;
  return known.push(text) - 1;
}
