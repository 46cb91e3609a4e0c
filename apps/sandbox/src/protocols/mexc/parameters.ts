import { parseUnits } from '../binance/format.ts';
import { mexcError } from './errors.ts';

const DECIMAL = '^([0-9]{1,20})(\\.[0-9]{1,20})?$';
const INTEGER = '^[0-9]{1,20}$';
const CLIENT_ID = '^[a-zA-Z0-9-_]{1,32}$';
const MAX_LENGTH = 20_000;
const MOST = 100;

/** The parameters of one request. MEXC ignores names that an endpoint does not know. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /**
   * Reads the query and the body, which is a form or a JSON object. The query overrides the body.
   *
   * @throws MexcError on invalid escapes or JSON, or too many parameters
   */
  static parse(query: string, body: string): Parameters {
    const values = new Map<string, string>();
    if (body.trimStart().startsWith('{')) readJson(body, values);
    else readForm(body, values);
    readForm(query, values);
    return new Parameters(values);
  }

  /** Returns the text of a parameter; undefined when it is absent or empty. */
  text(name: string): string | undefined {
    const value = this.#values.get(name);
    if (value !== undefined && value.length > MAX_LENGTH) throw mexcError.parameter();
    return value === '' ? undefined : value;
  }

  mandatory(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw mexcError.missing(name);
    return value;
  }

  /** Returns one of several words. @throws MexcError for another one */
  word<T extends string>(name: string, words: readonly T[]): T {
    const value = this.mandatory(name);
    const found = words.find((word) => word === value);
    if (found === undefined) throw mexcError.parameter();
    return found;
  }

  clientId(name: string): string | undefined {
    return this.#matching(name, CLIENT_ID);
  }

  /** Returns a decimal number in units of 1e-8; `null` when it has more decimals. */
  units(name: string): bigint | null | undefined {
    const text = this.#matching(name, DECIMAL);
    return text === undefined ? undefined : (parseUnits(text) ?? null);
  }

  /** Returns a whole number. */
  integer(name: string): number | undefined {
    const text = this.#matching(name, INTEGER);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw mexcError.parameter();
    return value;
  }

  /** Returns a number of rows from 1; more than `max` becomes `max`. */
  limit(defaultValue: number, max: number): number {
    const value = this.integer('limit') ?? defaultValue;
    if (value < 1) throw mexcError.parameter();
    return Math.min(value, max);
  }

  #matching(name: string, range: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && !new RegExp(range).test(value)) throw mexcError.illegal(name, range);
    return value;
  }
}

function readForm(text: string, into: Map<string, string>): void {
  for (const part of text.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    into.set(decode(at === -1 ? part : part.slice(0, at)), at === -1 ? '' : decode(part.slice(at + 1)));
    if (into.size > MOST) throw mexcError.parameter();
  }
}

function readJson(text: string, into: Map<string, string>): void {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw mexcError.parameter();
  }
  // The caller has checked the opening brace.
  const entries = Object.entries(parsed as object);
  if (entries.length > MOST) throw mexcError.parameter();
  for (const [name, value] of entries) {
    if (value === null || value === undefined) continue;
    into.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw mexcError.parameter();
  }
}
