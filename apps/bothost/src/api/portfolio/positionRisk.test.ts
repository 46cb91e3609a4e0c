import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { decimalUnits, sumOf } from '@heron/engine/money/decimalText.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { marginOfPosition, positionRisk } from './positionRisk.ts';

type PositionView = NonNullable<PairView['position']>;
type Level = PositionView['levels'][number];

const BOT = { id: 'abc123', name: 'Risky', venue: 'binanceusdm-demo' } as unknown as BotDetail;
const PAIR = { pair: 'BTC-USDT', quotedAt: 5 } as unknown as PairView;
const level = (kind: Level['kind'], price: number, sells = 100): Level => ({
  ...{ kind, price: String(price), row: 0, sells },
});

/** A position of 2 that was entered at 100. @param mark its mark price */
function held(mark: number, given: Partial<PositionView> = {}): PositionView {
  const direction = given.direction ?? 'long';
  return {
    ...{ quantity: '2', entryPrice: '100', cost: '200', openedAt: 1, direction, leverage: 5, margin: '40' },
    ...{ liquidationPrice: null, returnPercent: 0, priceExits: [], levels: [], stop: null },
    unrealised: String((direction === 'long' ? 1 : -1) * 2 * (mark - 100)),
    ...given,
  };
}

const risk = (position: PositionView) => positionRisk(BOT, PAIR, position);

test('a stop loses what lies between the mark and its price, also when the position still gains', () => {
  expect(risk(held(110, { levels: [level('stop', 105), level('win', 130), level('arm', 120, 0)] }))).toMatchObject({
    ...{ value: '220', mark: '110', stopPrice: '105', lossAtStop: '10', withoutStop: '0', unrealised: '20' },
  });
  const short = held(90, { direction: 'short', levels: [level('stop', 96)] });
  expect(risk(short)).toMatchObject({ value: '180', mark: '90', stopPrice: '96', lossAtStop: '12', withoutStop: '0' });
});

test('stops are reached one after the other, each with its share of what is left', () => {
  const levels = [level('stop', 80), level('stop', 90, 50)];
  // One of two at 90, the other at 80.
  expect(risk(held(100, { levels }))).toMatchObject({ stopPrice: '90', lossAtStop: '30', withoutStop: '0' });
  expect(risk(held(100, { levels: [level('trail', 95, 25)] }))).toMatchObject({
    ...{ lossAtStop: '2.5', withoutStop: '150', stopPrice: '95' },
  });
});

test('a position without a stop, or with one beyond its liquidation, is without a stop', () => {
  expect(risk(held(100))).toMatchObject({ stopPrice: null, lossAtStop: '0', withoutStop: '200' });
  const late = held(100, { liquidationPrice: '85', levels: [level('stop', 80)] });
  expect(risk(late)).toMatchObject({ stopPrice: null, lossAtStop: '0', withoutStop: '200', liquidationPercent: 15 });
  const guarded = held(100, { liquidationPrice: '85', levels: [level('stop', 80), level('guard', 87)] });
  expect(risk(guarded)).toMatchObject({ stopPrice: '87', lossAtStop: '26', withoutStop: '0' });
});

test('a stop order at the exchange counts with its quantity, unless it does not work yet', () => {
  const stop = { resting: true, price: '90', quantity: '1.5', of: null, gap: null };
  expect(risk(held(100, { stop }))).toMatchObject({ stopPrice: '90', lossAtStop: '15', withoutStop: '50' });
  expect(risk(held(100, { stop: { ...stop, resting: false } }))).toMatchObject({ withoutStop: '200' });
});

test('the margin is what is set apart, on cross the value at entry by the leverage, and nothing on spot', () => {
  expect(marginOfPosition(BOT, held(100))).toBe(decimalUnits('40'));
  expect(marginOfPosition(BOT, held(100, { margin: '0', leverage: 3 }))).toBe(decimalUnits('66.66666667'));
  expect(marginOfPosition({ ...BOT, venue: 'binance' }, held(100))).toBe(0n);
});

const levels = fc.array(
  fc.record({
    kind: fc.constantFrom<Level['kind'][]>('stop', 'trail', 'callback', 'guard'),
    price: fc.integer({ min: 1, max: 99 }),
    sells: fc.integer({ min: 1, max: 100 }),
  }),
  { maxLength: 6 },
);

test('the loss at the stops and the value without one are at most the value, and a stop for all leaves nothing without one', () => {
  fc.assert(
    fc.property(levels, fc.integer({ min: 1, max: 99 }), (given, price) => {
      const before = given.map((each) => level(each.kind, each.price, each.sells));
      const [some, more] = [
        risk(held(100, { levels: before })),
        risk(held(100, { levels: [...before, level('stop', price)] })),
      ];
      for (const { lossAtStop, withoutStop, value } of [some, more]) {
        expect(decimalUnits(lossAtStop)).toBeGreaterThanOrEqual(0n);
        expect(decimalUnits(withoutStop)).toBeGreaterThanOrEqual(0n);
        expect(decimalUnits(sumOf([lossAtStop, withoutStop]))).toBeLessThanOrEqual(decimalUnits(value));
      }
      expect(decimalUnits(more.withoutStop)).toBe(0n);
    }),
  );
});
