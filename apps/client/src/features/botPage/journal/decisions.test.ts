import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import { expect, test } from 'vitest';
import { english } from '../../../entities/bot/testLocales.ts';
import { type Decision, decisionsOf, subjectOf } from './decisions.ts';
import { decisionTitle } from './decisionTitle.ts';

const line = (seq: number, at: number, kind: JournalEntry['kind'], data: JournalEntry['data'] = {}): JournalEntry => ({
  seq,
  at,
  pair: 'BTC-USDT',
  kind,
  data,
});

/** A buy by hand, a grid order that is filled later, a refusal, and a sale that closes the position. */
const ENTRIES = [
  line(1, 10, 'command', { command: 'buy' }),
  line(2, 10, 'intent', { id: '1', side: 'buy' }),
  line(3, 10, 'phase'),
  line(4, 10, 'order', { intent: '1' }),
  line(5, 11, 'intent', { id: '2', side: 'sell' }),
  line(6, 11, 'order', { intent: '2' }),
  line(7, 12, 'fill', { intent: '1' }),
  line(8, 12, 'intent_end', { id: '1' }),
  line(9, 12, 'phase'),
  line(10, 13, 'refusal', { gate: 'pair_limit' }),
  line(11, 14, 'fill', { intent: '2' }),
  line(12, 14, 'intent_end', { id: '2' }),
  line(13, 14, 'position_closed'),
  line(14, 15, 'signal', { side: 'buy' }),
].toReversed();

const shape = (decisions: readonly Decision[]) =>
  decisions.map(({ order, lines }) => [order, lines.map(({ seq }) => seq)]);

test('entries are grouped by their order with cause and effects, the newest decision first', () => {
  const decisions = decisionsOf(ENTRIES);
  expect(shape(decisions)).toEqual([
    [null, [14]],
    ['2', [5, 6, 11, 12, 13]],
    [null, [10]],
    ['1', [1, 2, 3, 4, 7, 8, 9]],
  ]);
  expect(decisions.map(subjectOf)).toEqual(['signals', 'orders', 'signals', 'orders']);
  expect(decisions.every(({ isWhole }) => isWhole)).toBe(true);
});

test('the title of an order names a signal from outside as its reason, and an order by hand as manual', () => {
  const title = (source: JournalEntry['data']) =>
    decisionTitle(
      {
        ...{ key: 'order 1', order: '1', isWhole: true },
        lines: [
          line(1, 10, 'command', { command: 'buy', ...source }),
          line(2, 10, 'intent', { id: '1', side: 'buy', reason: 'manual' }),
          line(3, 11, 'fill', { intent: '1', side: 'buy', quantity: '0.5', price: '100' }),
        ],
      },
      english,
    );
  expect(title({ source: 'signal' })).toBe('Bought 0.5 at 100.00 – External signal');
  expect(title({})).toBe('Bought 0.5 at 100.00 – Manual');
});

test('an order whose begin is not loaded is not whole, and older entries join it', () => {
  const few = decisionsOf(ENTRIES.slice(0, 8));
  expect(few.map(({ order, isWhole }) => [order, isWhole])).toEqual([
    [null, true],
    ['2', false],
    [null, true],
    ['1', false],
  ]);
  // No decision appears twice when the next page comes.
  expect(decisionsOf(ENTRIES).map(({ key }) => key)).toEqual(few.map(({ key }) => key));
});
