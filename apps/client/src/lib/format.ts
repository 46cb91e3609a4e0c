import type { Language } from '../locales/texts.ts';

/** Formats numbers and times in one language. Money, prices and quantities are passed as exact decimal text. */
export interface Formatters {
  /** Formats an amount of money with its currency and two decimals: "10,000.00 USDT". */
  money(value: string | number, currency: string): string;
  /** Formats an amount of money with a sign unless it is zero. */
  signedMoney(value: string | number, currency: string): string;
  /** Formats a price with `decimals` decimals; without `decimals` the size of the price decides. */
  price(value: string | number, decimals?: number): string;
  /** Formats a quantity with at most eight decimals and without trailing zeros. */
  quantity(value: string | number): string;
  /** Formats a percentage with two decimals: "0.45%". */
  percent(value: number): string;
  signedPercent(value: number): string;
  /** Abbreviates large numbers: "12.3M", "1230万". */
  compact(value: number): string;
  number(value: number): string;
  /** Formats date and time to the second, with the year only when it is not the current one. */
  dateTime(at: number): string;
  /** Formats the time of day to the minute. */
  time(at: number): string;
  /** Formats a calendar month such as `2026-11` in words. */
  month(name: string): string;
  /** Joins names to a list: "A, B, and C". */
  list(names: readonly string[]): string;
}

/** Returns the decimals of a price by its size: at least five significant digits, and between two and ten decimals. */
export function priceDecimals(value: number): number {
  const size = Math.abs(value);
  if (size === 0 || !Number.isFinite(size)) return 2;
  return Math.min(10, Math.max(2, 4 - Math.floor(Math.log10(size))));
}

// Intl keeps every digit of decimal text, but TypeScript types such text as a template of a number.
const exact = (value: string | number) => value as `${number}`;

/** @param language BCP 47 tag, always one of ours: a device tag such as "C" would throw */
export function formatters(language: Language): Formatters {
  const money = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const signed = new Intl.NumberFormat(language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    // This also drops the sign of a value that rounds to zero.
    signDisplay: 'exceptZero',
  });
  const quantity = new Intl.NumberFormat(language, { maximumFractionDigits: 8 });
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const plain = new Intl.NumberFormat(language);
  const prices = new Map<number, Intl.NumberFormat>();
  const day = {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  } as const;
  const timeOfDay = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hour12: false });
  const thisYear = new Intl.DateTimeFormat(language, day);
  const months = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const names = new Intl.ListFormat(language);
  const anyYear = new Intl.DateTimeFormat(language, { ...day, year: 'numeric' });
  return {
    money: (value, currency) => `${money.format(exact(value))} ${currency}`,
    signedMoney: (value, currency) => `${signed.format(exact(value))} ${currency}`,
    price(value, decimals = priceDecimals(Number(value))) {
      let format = prices.get(decimals);
      if (!format) {
        format = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
        prices.set(decimals, format);
      }
      return format.format(exact(value));
    },
    quantity: (value) => quantity.format(exact(value)),
    percent: (value) => `${money.format(value)}%`,
    signedPercent: (value) => `${signed.format(value)}%`,
    compact: (value) => compact.format(value),
    number: (value) => plain.format(value),
    dateTime: (at) => (new Date(at).getFullYear() === new Date().getFullYear() ? thisYear : anyYear).format(at),
    time: (at) => timeOfDay.format(at),
    month: (name) => months.format(Date.parse(name)),
    list: (all) => names.format(all),
  };
}
