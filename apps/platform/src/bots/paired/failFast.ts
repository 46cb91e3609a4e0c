import { z } from 'zod';

/** Elements per batch. Parsing one by one takes three times as long. */
const PIECE = 64;

/** An element of a list or table is invalid. */
class FirstFault extends Error {
  override readonly name = 'FirstFault';
}

type Fields = Readonly<Record<string, z.ZodType>>;

/**
 * Returns a schema that stops at the first invalid elements. Otherwise zod records every issue, and a megabyte of
 * invalid elements blocks the process for minutes.
 *
 * @throws FirstFault, also from `safeParse`
 */
export function failFast<Schema extends z.ZodType>(schema: Schema): Schema {
  // A clone with equivalent parts has the type of the original.
  return failFastPart(schema) as Schema;
}

function failFastPart(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) {
    const some = z.array(failFastPart(schema.element as z.ZodType));
    return schema.clone({ ...schema.def, element: z.unknown() }).transform((given) => inPieces(given, some));
  }
  if (schema instanceof z.ZodRecord) {
    const one = failFastPart(schema.valueType as z.ZodType);
    return schema.clone({ ...schema.def, valueType: z.unknown().transform((given) => parseOrThrow(one, given)) });
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Fields).map(([name, field]) => [name, failFastPart(field)]);
    return schema.clone({ ...schema.def, shape: Object.fromEntries(fields) });
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = failFastPart(schema.unwrap() as z.ZodType);
    return schema instanceof z.ZodNullable ? z.nullable(inner) : z.optional(inner);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const options = schema.options.map((option) => failFastPart(option as z.ZodType) as typeof option);
    return schema.clone({ ...schema.def, options });
  }
  // Other unions try one part after another, so the first part must not throw.
  return schema;
}

function inPieces(given: readonly unknown[], some: z.ZodType<unknown[]>): unknown[] {
  const all: unknown[] = [];
  for (let at = 0; at < given.length; at += PIECE) all.push(...parseOrThrow(some, given.slice(at, at + PIECE)));
  return all;
}

/** Parses a value. @throws FirstFault */
export function parseOrThrow<Read>(schema: z.ZodType<Read>, given: unknown): Read {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new FirstFault(faultsOf(read.error));
}

/** Returns the first issues for the log. */
function faultsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ');
}
