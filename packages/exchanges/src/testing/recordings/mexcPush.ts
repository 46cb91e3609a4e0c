import protobuf from 'protobufjs/minimal.js';
import { PUSH } from '../../mexc/pushSchema.ts';

/** Encodes a push as MEXC sends it. @param fields names of the schema */
export function pushOf(fields: object): Uint8Array {
  return encode(fields, PUSH).finish();
}

function encode(fields: object, schema: typeof PUSH): protobuf.Writer {
  const writer = protobuf.Writer.create();
  const values = fields as Readonly<Record<string, unknown>>;
  for (const [number, [name, type, repeated]] of Object.entries(schema)) {
    if (values[name] === undefined) continue;
    for (const value of repeated ? (values[name] as readonly unknown[]) : [values[name]]) {
      const tag = writer.uint32((Number(number) << 3) | (type === 'string' || typeof type !== 'string' ? 2 : 0));
      writeValue(tag, type, value);
    }
  }
  return writer;
}

function writeValue(tag: protobuf.Writer, type: (typeof PUSH)[number][1], value: unknown): void {
  if (typeof type !== 'string') tag.bytes(encode(value as object, type).finish());
  else if (type === 'string') tag.string(String(value));
  else if (type === 'bool') tag.bool(value === true);
  else if (type === 'int64') tag.int64(Number(value));
  else tag.int32(Number(value));
}
