import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatters, priceDecimals } from './format.ts';

const en = formatters('en');
const zh = formatters('zh-CN');

describe('money', () => {
  test('keeps every digit of exact decimal text', () => {
    expect(en.money('9007199254740993.25', 'USDT')).toBe('9,007,199,254,740,993.25 USDT');
  });

  test('has a sign for gain and loss and none for zero', () => {
    expect(en.signedMoney('12.5', 'USDT')).toBe('+12.50 USDT');
    expect(en.signedMoney('-0.0333', 'USDT')).toBe('-0.03 USDT');
    expect(en.signedMoney('0', 'USDT')).toBe('0.00 USDT');
    expect(en.signedPercent(-1.206)).toBe('-1.21%');
  });
});

describe('a price', () => {
  test('has decimals that depend on its size', () => {
    expect(en.price('67123.4')).toBe('67,123.40');
    expect(en.price('3.5')).toBe('3.5000');
    expect(en.price('0.12345678')).toBe('0.12346');
    expect(en.price('0.00001234')).toBe('0.000012340');
  });

  test('never has fewer than two decimals or more than ten', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const decimals = priceDecimals(value);
        return decimals >= 2 && decimals <= 10;
      }),
    );
  });

  test('keeps at least four significant digits down to a millionth', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (value) => {
        const shown = Number(value.toFixed(priceDecimals(value)));
        expect(Math.abs(shown - value) / value).toBeLessThan(1e-4);
      }),
    );
  });
});

test('quantities show up to eight decimals and no trailing zeros', () => {
  expect(en.quantity('0.02960000')).toBe('0.0296');
  expect(en.quantity('1234.00000001')).toBe('1,234.00000001');
});

test('large numbers are short in each language', () => {
  expect(en.compact(12_300_000)).toBe('12.3M');
  expect(zh.compact(12_300_000)).toBe('1230万');
});

test('dates contain the year only when it is not the current one', () => {
  expect(en.dateTime(Date.now())).not.toContain(String(new Date().getFullYear()));
  expect(en.dateTime(Date.UTC(2019, 5, 15))).toContain('2019');
});

test('a month has the right name in every time zone of the device', () => {
  expect(en.month('2026-01')).toBe('January 2026');
  expect(zh.month('2026-11')).toBe('2026年11月');
});
