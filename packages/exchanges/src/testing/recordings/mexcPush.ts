/** The part of the library's compiled schema that writes a push. */
interface Schema {
  readonly PushDataV3ApiWrapper: {
    fromObject(fields: object): object;
    encode(message: object): { finish(): Uint8Array };
  };
}

const { default: schema } = (await import(
  new URL('./src/protobuf/mexc/compiled.cjs', import.meta.resolve('ccxt')).href
)) as { default: Schema };

/** A push as MEXC sends it, by its official schema. @param fields names of the schema */
export function pushOf(fields: object): Uint8Array {
  const { PushDataV3ApiWrapper } = schema;
  return PushDataV3ApiWrapper.encode(PushDataV3ApiWrapper.fromObject(fields)).finish();
}
