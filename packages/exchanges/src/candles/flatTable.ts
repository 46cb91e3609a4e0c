/**
 * A table of a FlatBuffer, the format of Arrow's metadata: fields are found by number, and are absent when they have their
 * default. Whatever is read lies inside `view`, or a RangeError is thrown: the bytes may be damaged.
 *
 * @see https://flatbuffers.dev/internals/
 */
export interface FlatTable {
  readonly view: DataView;
  readonly at: number;
  /** Position of the table of field offsets, and its size in bytes. */
  readonly vtable: number;
  readonly size: number;
}

/** Returns the table at the start of a buffer. */
export function rootTable(view: DataView): FlatTable {
  return tableAt(view, view.getUint32(0, true));
}

/** A number of 1, 2 or 4 bytes; 0 when absent. */
export function numberIn(table: FlatTable, field: number, bytes: 1 | 2 | 4): number {
  const at = placeOf(table, field);
  if (at === 0) return 0;
  return bytes === 1
    ? table.view.getUint8(at)
    : bytes === 2
      ? table.view.getInt16(at, true)
      : table.view.getInt32(at, true);
}

/** A number of 8 bytes from 0 to 2^53 − 1; 0 when absent. */
export function countIn(table: FlatTable, field: number): number {
  const at = placeOf(table, field);
  return at === 0 ? 0 : countAt(table.view, at);
}

/** A number of 8 bytes. @throws RangeError when it is no count */
export function countAt(view: DataView, at: number): number {
  const value = Number(view.getBigInt64(at, true));
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no count`);
  return value;
}

/** A table; null when absent. */
export function tableIn(table: FlatTable, field: number): FlatTable | null {
  const at = placeOf(table, field);
  return at === 0 ? null : tableAt(table.view, at + table.view.getUint32(at, true));
}

/** A text; empty when absent. */
export function textIn(table: FlatTable, field: number): string {
  const { first, length } = vectorIn(table, field, 1);
  return new TextDecoder().decode(new Uint8Array(table.view.buffer, table.view.byteOffset + first, length));
}

export function tablesIn(table: FlatTable, field: number): FlatTable[] {
  const { first, length } = vectorIn(table, field, 4);
  return Array.from({ length }, (_, i) => {
    const at = first + 4 * i;
    return tableAt(table.view, at + table.view.getUint32(at, true));
  });
}

/** Returns the position of the first item of a vector, and the number of items. @param size bytes of an item */
export function vectorIn(table: FlatTable, field: number, size: number): { first: number; length: number } {
  const at = placeOf(table, field);
  if (at === 0) return { first: 0, length: 0 };
  const start = at + table.view.getUint32(at, true);
  const length = table.view.getUint32(start, true);
  if (start + 4 + length * size > table.view.byteLength) throw new RangeError('a list ends outside its buffer');
  return { first: start + 4, length };
}

function tableAt(view: DataView, at: number): FlatTable {
  const vtable = at - view.getInt32(at, true);
  return { view, at, vtable, size: view.getUint16(vtable, true) };
}

/** Place of a field in the buffer; 0 when it is absent. */
function placeOf({ view, at, vtable, size }: FlatTable, field: number): number {
  const slot = 4 + 2 * field;
  if (slot + 2 > size) return 0;
  const offset = view.getUint16(vtable + slot, true);
  return offset === 0 ? 0 : at + offset;
}
