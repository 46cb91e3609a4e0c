import { defaultOptions } from '@heron/engine/options/table.ts';
import { describe, expect, test } from 'vitest';
import { formatters } from '../../lib/format.ts';
import { shownDecimals } from './shownDecimals.ts';

const DEFAULT = defaultOptions().price_format;

describe('price_format', () => {
  test('is automatic by default: prices have the decimals of the tick size', () => {
    for (const [tick, decimals] of [
      ['0.01', 2],
      ['0.10', 1],
      ['0.1', 1],
      ['0.00000001', 8],
      ['1', 0],
      ['5', 0],
      ['0.5', 1],
      ['0.25', 2],
      ['0.000100', 4],
    ] as const) {
      expect([tick, shownDecimals(DEFAULT, tick)]).toEqual([tick, decimals]);
    }
  });

  test('lets the size of a price decide when the tick size is unknown', () => {
    expect(shownDecimals(DEFAULT, null)).toBeNull();
    expect(shownDecimals(undefined, null)).toBeNull();
    expect(formatters('en').price('0.00001234', shownDecimals(DEFAULT, null) ?? undefined)).toBe('0.000012340');
  });

  test('as set by the user counts the zeros after the point, whatever the tick size', () => {
    expect(shownDecimals('0', '0.01')).toBe(0);
    expect(shownDecimals('0.0', '0.01')).toBe(1);
    expect(shownDecimals('0.0000', null)).toBe(4);
    expect(shownDecimals('0.000000000000', '1')).toBe(12);
  });

  test('applies to prices in both languages', () => {
    expect(formatters('en').price('67123.456', shownDecimals('0.0', '0.01') ?? undefined)).toBe('67,123.5');
    expect(formatters('zh-CN').price('67123', shownDecimals('0.0000', '0.01') ?? undefined)).toBe('67,123.0000');
    expect(formatters('en').price('67123.4', shownDecimals(DEFAULT, '0.01') ?? undefined)).toBe('67,123.40');
  });

  test('is ignored when it is no valid mask', () => {
    expect(shownDecimals('0.00abc', '0.1')).toBe(1);
    expect(shownDecimals(7, '0.1')).toBe(1);
  });
});
