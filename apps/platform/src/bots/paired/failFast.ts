import { z } from 'zod';

/** Elements that are read at once: one by one takes three times as long. */
const PIECE = 64;

/** Something in a list or table is not what it should be. */
class FirstFault extends Error {
  override readonly name = 'FirstFault';
}

type Fields = Readonly<Record<string, z.ZodType>>;

/**
 * The same schema, which gives up at the first elements that are wrong. Otherwise every fault of every element is written down,
 * and a megabyte of wrong elements keeps the process busy for minutes.
 *
 * @throws FirstFault from `safeParse` too
 */
export function failFast<Schema extends z.ZodType>(schema: Schema): Schema {
  // A clone with parts that read the same has the type of what was cloned.
  return patient(schema) as Schema;
}

function patient(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) {
    const some = z.array(patient(schema.element as z.ZodType));
    return schema.clone({ ...schema.def, element: z.unknown() }).transform((given) => inPieces(given, some));
  }
  if (schema instanceof z.ZodRecord) {
    const one = patient(schema.valueType as z.ZodType);
    return schema.clone({ ...schema.def, valueType: z.unknown().transform((given) => parseOrThrow(one, given)) });
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Fields).map(([name, field]) => [name, patient(field)]);
    return schema.clone({ ...schema.def, shape: Object.fromEntries(fields) });
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = patient(schema.unwrap() as z.ZodType);
    return schema instanceof z.ZodNullable ? z.nullable(inner) : z.optional(inner);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const options = schema.options.map((option) => patient(option as z.ZodType) as typeof option);
    return schema.clone({ ...schema.def, options });
  }
  // Of any other union one part is tried after another: the first may not give up for all.
  return schema;
}

function inPieces(given: readonly unknown[], some: z.ZodType<unknown[]>): unknown[] {
  const all: unknown[] = [];
  for (let at = 0; at < given.length; at += PIECE) all.push(...parseOrThrow(some, given.slice(at, at + PIECE)));
  return all;
}

/**
 * What a schema reads.
 *
 * @throws FirstFault
 */
export function parseOrThrow<Read>(schema: z.ZodType<Read>, given: unknown): Read {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new FirstFault(faultsOf(read.error));
}

/** The first few, for the log. */
function faultsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ');
}
