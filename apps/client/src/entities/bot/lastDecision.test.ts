import type { PairView } from '@heron/contract/bots/entities.ts';
import { describe, expect, test } from 'vitest';
import { decisionFacts, decisionSentence } from './lastDecision.ts';
import { chinese, english } from './testLocales.ts';

type LastOrder = NonNullable<PairView['lastOrder']>;

const ENTRY: LastOrder = {
  ...{ at: 0, kind: 'entry', direction: 'long', reason: 'signal', price: '100' },
  ...{ quantity: '0.5', filled: '0.5', end: 'filled' },
};
const SPOT = { venue: 'binance-demo' } as const;
const FUTURES = { venue: 'binanceusdm-demo' } as const;

describe('the last decision', () => {
  test.each<[Partial<LastOrder>, string, string]>([
    [{}, 'Buy: filled.', '买入：全部成交。'],
    [{ kind: 'exit', filled: '0', end: null }, 'Sell: in progress.', '卖出：进行中。'],
    [{ filled: '0', end: 'slippage' }, 'Buy: the price moved too far.', '买入：价格偏离过大。'],
    [{ filled: '0.2', end: 'unfilled' }, 'Buy: filled in part.', '买入：部分成交。'],
  ])('%o reads as a sentence', (given, en, zh) => {
    expect(decisionSentence(SPOT, { ...ENTRY, ...given }, english)).toBe(en);
    expect(decisionSentence(SPOT, { ...ENTRY, ...given }, chinese)).toBe(zh);
  });

  test('names the side on futures', () => {
    const sides = (['entry', 'exit'] as const).flatMap((kind) =>
      (['long', 'short'] as const).map((direction) =>
        decisionSentence(FUTURES, { ...ENTRY, kind, direction }, english),
      ),
    );
    expect(sides).toEqual(['Open long: filled.', 'Open short: filled.', 'Close long: filled.', 'Close short: filled.']);
  });

  test('shows the filled part of the quantity, and no price while none was known', () => {
    expect(decisionFacts({ ...ENTRY, filled: '0.2', end: null, price: null }, english)).toEqual([
      { name: 'Reason', value: 'Strategy signal' },
      { name: 'Quantity', value: '0.2 / 0.5' },
    ]);
    expect(decisionFacts(ENTRY, english).map(({ value }) => value)).toEqual(['Strategy signal', '0.5', '100.00']);
  });
});
