import { restoreSession, saveSession } from '@heron/engine/paper/paperSession.ts';
import { expect, test } from 'vitest';
import { altMarket } from './arbitraries.ts';
import { Desk, kindsOf } from './harness.ts';

const A = altMarket('AAA');
// The caps are a tenth: the maximum leverage is 20 × from an order value of 100,000 on, 10 × from 1,000,000 on.
const BIG = {
  exchange: 'binanceusdm',
  market: 'both',
  leverage: 100,
  order_type: 'taker',
  currency_capital: 100_000,
  buy_pct: 20,
  max_slippage_pct: 2,
};

const leverageNotes = (desk: Desk) => kindsOf(desk, 'leverage');
const entries = (desk: Desk) =>
  kindsOf(desk, 'intent').flatMap(({ kind, leverage, askedLeverage }) =>
    kind === 'entry' ? [[leverage, askedLeverage]] : [],
  );

function trade(desk: Desk, value: number): void {
  desk.quote(100);
  desk.buy(value);
  desk.quote(100);
  desk.sell(100);
  expect(desk.pair.position).toBeNull();
}

test('leverage that a bracket lowers is reported once, and again when it changes', () => {
  const desk = new Desk(BIG, A, { history: 100 });
  trade(desk, 20_000);
  const [first] = leverageNotes(desk);
  expect(first).toMatchObject({ asked: 100 });
  expect(Number(first?.leverage)).toBeLessThan(100);
  trade(desk, 20_000);
  expect(leverageNotes(desk)).toHaveLength(1);
  desk.command({ type: 'change', options: { leverage: 90 }, params: {} });
  trade(desk, 20_000);
  expect(leverageNotes(desk)).toEqual([first, { asked: 90, leverage: first?.leverage }]);
  // The requested leverage is used again, then lowered again; both are changes.
  trade(desk, 20);
  expect(leverageNotes(desk)).toHaveLength(2);
  trade(desk, 20_000);
  expect(leverageNotes(desk)).toHaveLength(3);
});

test('an entry reports its leverage beside the requested one, from decision to end', () => {
  const desk = new Desk(BIG, A, { history: 100 });
  trade(desk, 20_000);
  const lowered = Number(leverageNotes(desk)[0]?.leverage);
  trade(desk, 20);
  expect(entries(desk)).toEqual([
    [lowered, 100],
    [100, 100],
  ]);
  const ends = kindsOf(desk, 'intent_end').filter(({ kind }) => kind === 'entry');
  expect(ends.map(({ leverage, askedLeverage }) => [leverage, askedLeverage])).toEqual(entries(desk));
  expect(kindsOf(desk, 'intent').find(({ kind }) => kind === 'exit')).not.toHaveProperty('leverage');
});

test('an earlier report is not repeated after a restart', () => {
  const desk = new Desk(BIG, A, { history: 100 });
  trade(desk, 20_000);
  desk.session = restoreSession(saveSession(desk.session));
  trade(desk, 20_000);
  expect(leverageNotes(desk)).toHaveLength(1);
});

test('a bot on spot reports no leverage', () => {
  const desk = new Desk({ order_type: 'taker' }, A, { history: 100 });
  trade(desk, 100);
  expect(leverageNotes(desk)).toEqual([]);
  for (const data of kindsOf(desk, 'intent')) expect(data).not.toHaveProperty('leverage');
});
