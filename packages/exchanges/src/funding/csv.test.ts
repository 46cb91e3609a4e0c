import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFundingCsv } from './csv.ts';

const parse = (text: string) => parseFundingCsv(new TextEncoder().encode(text));

describe('funding csv', () => {
  test('reads rows with optional header, mark and last line end; an unknown mark is 0', () => {
    for (const text of [
      '1000,0.0001\n2000,-2e-4,61000.5',
      'time_ms,rate,mark\r\n1000,0.0001,\r\n2000,-0.0002,61000.5\r\n',
    ]) {
      const { funding, bad } = parse(text);
      expect(bad).toEqual([]);
      expect([...funding.time, ...funding.rate, ...funding.mark]).toEqual([1000, 2000, 0.0001, -0.0002, 0, 61000.5]);
    }
    expect(parse('').funding.time.length).toBe(0);
  });

  test('names the line and the reason of every bad row and keeps the rest', () => {
    const { funding, bad } = parse(
      [
        'time_ms,rate,mark',
        '1000,0.0001',
        '1000,0.0001',
        '500,0.0001',
        'x,0.1',
        '2000',
        '3000,abc',
        '4000,1.5',
        '5000,0.1,0',
        '6000,0.1,7,8',
        '7000,0',
      ].join('\n'),
    );
    expect(bad).toEqual([
      { line: 3, reason: 'duplicate of the payment before (1000)' },
      { line: 4, reason: 'time goes back from 1000 to 500' },
      { line: 5, reason: 'time_ms "x" is not a time in milliseconds' },
      { line: 6, reason: 'the row must have 2 or 3 columns: time_ms,rate or time_ms,rate,mark' },
      { line: 7, reason: 'rate "abc" is not a number' },
      { line: 8, reason: 'rate 1.5 is no fraction below 1 (0.0001 is 0.01 %)' },
      { line: 9, reason: 'mark "0" is not a price above 0' },
      { line: 10, reason: 'the row must have 2 or 3 columns: time_ms,rate or time_ms,rate,mark' },
    ]);
    expect([...funding.time]).toEqual([1000, 7000]);
  });

  test('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { funding, bad } = parseFundingCsv(bytes);
        expect(funding.time.length + bad.length).toBeLessThanOrEqual(201);
      }),
      { numRuns: 2_000 },
    );
  });
});
