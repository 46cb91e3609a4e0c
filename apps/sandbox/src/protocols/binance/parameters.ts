import { binanceError } from './errors.ts';
import { parseUnits } from './format.ts';

const SYMBOL = '^[A-Z0-9-_.]{1,20}$';
const SYMBOLS = '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$';
const DECIMAL = '^([0-9]{1,20})(\\.[0-9]{1,20})?$';
const INTEGER = '^[0-9]{1,20}$';
const CLIENT_ID = '^[a-zA-Z0-9-_]{1,36}$';
const MAX_LENGTH = 1_000;

/** The parameters of one request by name. Each read checks its value and throws Binance's error. */
export class Parameters {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /**
   * Reads `a=1&b=2` from the query and the body together.
   *
   * @throws BinanceError on invalid escapes, repeated names, or too many parameters
   */
  static parse(texts: readonly string[]): Parameters {
    const values = new Map<string, string>();
    for (const text of texts) {
      for (const part of text.split('&')) {
        if (part === '') continue;
        const at = part.indexOf('=');
        const name = decode(at === -1 ? part : part.slice(0, at));
        const value = at === -1 ? '' : decode(part.slice(at + 1));
        if (values.has(name)) throw binanceError.duplicate();
        if (values.size >= 50) throw binanceError.tooLarge();
        values.set(name, value);
      }
    }
    return new Parameters(values);
  }

  /** Rejects parameters that the endpoint does not know. */
  allow(names: ReadonlySet<string>): void {
    let known = 0;
    for (const name of this.#values.keys()) if (names.has(name)) known++;
    if (known < this.#values.size) throw binanceError.unread(known, this.#values.size);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    if (value === '') throw binanceError.empty(name);
    if (value !== undefined && value.length > MAX_LENGTH) throw binanceError.invalid(name);
    return value;
  }

  mandatory(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined || value === '') throw binanceError.missing(name);
    return value;
  }

  /** Returns one of several words. @throws the error of `rejection` for another one */
  word<T extends string>(name: string, words: readonly T[], rejection: () => Error): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const found = words.find((word) => word === value);
    if (found === undefined) throw rejection();
    return found;
  }

  symbol(name = 'symbol'): string | undefined {
    return this.#matching(name, SYMBOL);
  }

  /** Returns a JSON list of symbols without repetition. */
  symbols(): string[] | undefined {
    if (!this.has('symbols')) return undefined;
    const value = this.mandatory('symbols');
    if (value.length > 5_000 || !new RegExp(SYMBOLS).test(value)) throw binanceError.illegal('symbols', SYMBOLS);
    const list = JSON.parse(value) as string[];
    if (new Set(list).size < list.length) throw binanceError.repeatedSymbol();
    return list;
  }

  clientId(name: string): string | undefined {
    return this.#matching(name, CLIENT_ID);
  }

  /** Returns a decimal number in units of 1e-8. */
  units(name: string): bigint | undefined {
    const text = this.#matching(name, DECIMAL);
    if (text === undefined) return undefined;
    const value = parseUnits(text);
    if (value === undefined) throw binanceError.precision(name);
    return value;
  }

  /** Returns a whole number. @throws BinanceError -1130 when it is too large to be exact */
  integer(name: string): number | undefined {
    const text = this.#matching(name, INTEGER);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw binanceError.invalid(name);
    return value;
  }

  /** Returns a number of rows from 1; more than `max` becomes `max`. */
  limit(defaultValue: number, max: number): number {
    const value = this.integer('limit') ?? defaultValue;
    if (value < 1) throw binanceError.invalid('limit');
    return Math.min(value, max);
  }

  #matching(name: string, range: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && !new RegExp(range).test(value)) throw binanceError.illegal(name, range);
    return value;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw binanceError.illegalSomewhere();
  }
}
