/** A JSON object of a venue, before its fields are checked. */
export type Row = Readonly<Record<string, unknown>>;

/** Parameters of a request; undefined ones are left out. */
export type Params = Readonly<Record<string, string | number | undefined>>;

/** Returns parameters as a query string, in their own order. */
export function queryOf(params: Params): string {
  return Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/** A run of digits that may be an integer beyond 2^53. */
const LONG_DIGITS = /\d{16}/;

/** Parses JSON. Integers beyond 2^53 become texts, so that ids keep their digits. @throws SyntaxError */
export function parseJson(text: string): unknown {
  return LONG_DIGITS.test(text)
    ? JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
    : JSON.parse(text);
}

/** The engine passes the source text as a third argument, which the types of `JSON.parse` do not have yet. */
function keepDigits(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  const isUnsafe = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isUnsafe ? (context.source ?? value) : value;
}

/** Returns a JSON object as a row. @throws TypeError for anything else */
export function asRow(value: unknown): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  // Checked above; an object literal of JSON has text keys only.
  return value as Row;
}

/** Returns a JSON array of objects as rows. @throws TypeError for anything else */
export function asRows(value: unknown): Row[] {
  if (!Array.isArray(value)) throw new TypeError('no list');
  return value.map(asRow);
}
