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

/**
 * What `read` makes of the rows, one at a time and anew each time they are gone through: as a list they would take more
 * memory than the run.
 *
 * @param read is given a block and where the row begins in it
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

/** Number of a text in a short list, to which it is added when it is new. Texts themselves would make rows slow. */
export function codeOf(known: string[], text: string): number {
  for (let code = 0; code < known.length; code++) if (known[code] === text) return code;
  return known.push(text) - 1;
}
