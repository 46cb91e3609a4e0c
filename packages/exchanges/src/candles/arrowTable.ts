import { ArrowFault } from './arrowFault.ts';
import {
  countAt,
  countIn,
  type FlatTable,
  numberIn,
  rootTable,
  tableIn,
  tablesIn,
  textIn,
  vectorIn,
} from './flatTable.ts';

/** A column of an Arrow table. */
export interface ArrowField {
  readonly name: string;
  /** Number of its type in Arrow's union of types; {@link DICTIONARY} when its values stand in a dictionary. */
  readonly type: number;
  /** Bits of an Int, precision of a FloatingPoint, unit of a Timestamp. */
  readonly detail: number;
}

/** The part of an Arrow table that is read here: flat columns of fixed width. */
export interface ArrowTable {
  readonly fields: readonly ArrowField[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly batches: readonly ArrowBatch[];
}

export interface ArrowBatch {
  readonly length: number;
  /** For each field, how many values are missing, and the bytes of its values; none for a type of another layout. */
  readonly columns: readonly { readonly missing: number; readonly values: Uint8Array }[];
}

export const INT = 2;
export const FLOATING_POINT = 3;
export const TIMESTAMP = 10;
const DICTIONARY = -1;

/** Names of Arrow's types by number, and how many buffers a column of each has. Nested types are not read. */
const TYPES: readonly (readonly [name: string, buffers: number])[] = [
  ['nothing', 0],
  ['Null', 0],
  ['Int', 2],
  ['FloatingPoint', 2],
  ['Binary', 3],
  ['Utf8', 3],
  ['Bool', 2],
  ['Decimal', 2],
  ['Date', 2],
  ['Time', 2],
  ['Timestamp', 2],
  ['Interval', 2],
  ['List', Number.NaN],
  ['Struct', Number.NaN],
  ['Union', Number.NaN],
  ['FixedSizeBinary', 2],
  ['FixedSizeList', Number.NaN],
  ['Map', Number.NaN],
  ['Duration', 2],
  ['LargeBinary', 3],
  ['LargeUtf8', 3],
  ['LargeList', Number.NaN],
  ['RunEndEncoded', Number.NaN],
  ['BinaryView', 2],
  ['Utf8View', 2],
  ['ListView', Number.NaN],
  ['LargeListView', Number.NaN],
];
const BINARY_VIEW = 23;
const UTF8_VIEW = 24;

const MAGIC = 'ARROW1';
/** Before the length of each message. */
const CONTINUATION = 0xffffffff;
const SCHEMA = 1;
const RECORD_BATCH = 3;
/** Bytes of the place of a batch in the footer: its offset is first. */
const BLOCK = 24;

/**
 * Reads Arrow IPC, file or stream. It checks every length; values are views of `bytes`. It uses no library because that
 * hangs on damaged files and takes longer to load than a million candles.
 *
 * @throws ArrowFault
 * @see https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
 */
export function readArrowTable(bytes: Uint8Array): ArrowTable {
  try {
    return tableOf(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ArrowFault('is damaged: it is no whole Arrow file', { cause: error });
  }
}

/** The type of a column in words. */
export function typeOf({ type, detail }: ArrowField): string {
  if (type === DICTIONARY) return 'a dictionary';
  if (type === INT) return `Int${detail}`;
  if (type === FLOATING_POINT) return `Float${[16, 32, 64][detail] ?? ' of no known size'}`;
  return (TYPES[type] as (typeof TYPES)[number])[0];
}

function tableOf(bytes: Uint8Array): ArrowTable {
  return markAt(bytes, 0) ? fileOf(bytes) : streamOf(bytes);
}

/** A file ends with a footer that holds the schema and the positions of the batches. */
function fileOf(bytes: Uint8Array): ArrowTable {
  const end = bytes.length - MAGIC.length - 4;
  if (!markAt(bytes, end + 4)) throw new RangeError('its end is missing');
  const length = viewOf(bytes).getInt32(end, true);
  if (length <= 0 || length > end) throw new RangeError('its footer is damaged');
  const footer = rootTable(viewOf(bytes.subarray(end - length, end)));
  const schema = schemaOf(tableIn(footer, 1));
  const blocks = vectorIn(footer, 3, BLOCK);
  let free = 0;
  const batches = Array.from({ length: blocks.length }, (_, i) => {
    const at = countAt(footer.view, blocks.first + BLOCK * i);
    const message = messageAt(bytes, at);
    // One behind the other: a damaged footer must not make a large table of a small file.
    if (message?.kind !== RECORD_BATCH || at < free) throw new RangeError('a batch is missing');
    free = message.end;
    return batchOf(message, schema.fields);
  });
  return { ...schema, batches };
}

/** A stream is a schema and batches one after the other. */
function streamOf(bytes: Uint8Array): ArrowTable {
  const first = messageAt(bytes, 0);
  if (first?.kind !== SCHEMA) throw new RangeError('it does not begin with a schema');
  const schema = schemaOf(first.header);
  const batches: ArrowBatch[] = [];
  let { end } = first;
  while (end < bytes.length) {
    const message = messageAt(bytes, end);
    if (message === null) break;
    if (message.kind === RECORD_BATCH) batches.push(batchOf(message, schema.fields));
    end = message.end;
  }
  return { ...schema, batches };
}

interface Message {
  readonly kind: number;
  readonly header: FlatTable;
  readonly body: Uint8Array;
  /** Start of the next one. */
  readonly end: number;
}

/** @returns null at the mark of an end */
function messageAt(bytes: Uint8Array, at: number): Message | null {
  const view = viewOf(bytes);
  // Before 2019 there was no mark.
  const start = at + (view.getUint32(at, true) === CONTINUATION ? 8 : 4);
  const length = view.getInt32(start - 4, true);
  if (length === 0) return null;
  if (length < 0 || start + length > bytes.length) throw new RangeError('a message is cut off');
  const message = rootTable(viewOf(bytes.subarray(start, start + length)));
  const end = start + length + countIn(message, 3);
  if (end > bytes.length) throw new RangeError('a message is cut off');
  const header = tableIn(message, 2);
  if (header === null) throw new RangeError('a message has no header');
  return { kind: numberIn(message, 1, 1), header, body: bytes.subarray(start + length, end), end };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function markAt(bytes: Uint8Array, at: number): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(Math.max(at, 0), at + MAGIC.length)) === MAGIC;
}

function schemaOf(schema: FlatTable | null): Pick<ArrowTable, 'fields' | 'metadata'> {
  if (schema === null) throw new RangeError('it has no schema');
  if (numberIn(schema, 0, 2) !== 0) throw new ArrowFault('was written for a big-endian machine');
  return {
    fields: tablesIn(schema, 1).map(fieldOf),
    metadata: new Map(tablesIn(schema, 2).map((pair) => [textIn(pair, 0), textIn(pair, 1)])),
  };
}

function fieldOf(field: FlatTable): ArrowField {
  const name = textIn(field, 0);
  // Names are shown in messages.
  if (!/^[^\p{C}]{0,100}$/u.test(name)) throw new RangeError('a column has no readable name');
  if (tableIn(field, 4) !== null) return { name, type: DICTIONARY, detail: 0 };
  const type = numberIn(field, 2, 1);
  if (TYPES[type] === undefined) throw new RangeError(`there is no type ${type}`);
  const details = tableIn(field, 3);
  // These have one detail that matters, and it is the first; an Int's takes four bytes.
  const detail = details === null ? 0 : type === INT ? numberIn(details, 0, 4) : numberIn(details, 0, 2);
  return { name, type, detail };
}

function batchOf({ header, body }: Message, fields: readonly ArrowField[]): ArrowBatch {
  if (tableIn(header, 3) !== null) {
    throw new ArrowFault("holds compressed columns; write it with compression='uncompressed'");
  }
  const { view } = header;
  const length = countIn(header, 0);
  const nodes = vectorIn(header, 1, 16);
  const buffers = vectorIn(header, 2, 16);
  const variadic = vectorIn(header, 4, 8);
  if (nodes.length !== fields.length) throw new RangeError('a batch has other columns than the table');
  let buffer = 0;
  let views = 0;
  const columns = fields.map((field, i) => {
    const node = nodes.first + 16 * i;
    if (countAt(view, node) !== length) throw new RangeError(`column ${field.name} is shorter than its batch`);
    const first = buffer;
    buffer += buffersOf(field);
    if (field.type === BINARY_VIEW || field.type === UTF8_VIEW) {
      if (views === variadic.length) throw new RangeError('a batch lacks the buffers of its texts');
      buffer += countAt(view, variadic.first + 8 * views);
      views += 1;
    }
    if (buffer > buffers.length) throw new RangeError('a batch has too few buffers');
    return {
      missing: countAt(view, node + 8),
      // The first of two buffers marks missing values.
      values: buffersOf(field) === 2 ? bufferAt(view, buffers.first + 16 * (first + 1), body) : new Uint8Array(),
    };
  });
  return { length, columns };
}

function buffersOf(field: ArrowField): number {
  if (field.type === DICTIONARY) return 2;
  const buffers = (TYPES[field.type] as (typeof TYPES)[number])[1];
  if (Number.isNaN(buffers))
    throw new ArrowFault(`has a nested column, ${field.name} (${typeOf(field)}); leave it out`);
  return buffers;
}

function bufferAt(view: DataView, at: number, body: Uint8Array): Uint8Array {
  const start = countAt(view, at);
  const end = start + countAt(view, at + 8);
  if (end > body.length) throw new RangeError('a buffer ends outside its batch');
  return body.subarray(start, end);
}
