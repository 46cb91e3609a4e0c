import { expect, test } from 'vitest';
import { backtestSetup } from './backtestSetup.ts';
import { emptySetup } from './setupDraft.ts';

const draft = (texts: Record<string, string>) => ({ ...emptySetup(), texts: { ...emptySetup().texts, ...texts } });

test('a live set-up runs on paper with the capital that it would trade with', () => {
  const live = draft({ mode: 'live', exchange: 'binanceusdm-demo', leverage: '3' });
  const options = { mode: 'paper', exchange: 'binanceusdm-demo', leverage: 3 };
  expect(backtestSetup(live, 1234.56)?.options).toMatchObject({ ...options, currency_capital: 1234.56 });
  expect(backtestSetup(live, 0)?.options).toMatchObject({ ...options, currency_capital: 10_000 });
  expect(backtestSetup(live, 5e6)?.options).toMatchObject({ ...options, currency_capital: 10_000 });
});

test('invalid options of paper trading do not block a live set-up', () => {
  const live = draft({ mode: 'live', currency_capital: 'x', leverage: '3', exchange: 'binanceusdm-demo' });
  const options = { mode: 'paper', exchange: 'binanceusdm-demo', leverage: 3 };
  expect(backtestSetup(live, null)?.options).toMatchObject({ ...options, currency_capital: 10_000 });
  expect(backtestSetup(live, 5e6)?.options).toMatchObject({ ...options, currency_capital: 10_000 });
  expect(backtestSetup(live, 500)?.options).toMatchObject({ ...options, currency_capital: 500 });
  expect(backtestSetup(draft({ mode: 'live', avg_slippage_pct: 'x' }), 500)?.options.currency_capital).toBe(500);
  expect(backtestSetup(draft({ mode: 'live', buy_pct: 'x' }), 500)).toBeNull();
});

test('a paper set-up runs with its paper capital, and an invalid one does not run', () => {
  expect(backtestSetup(draft({ currency_capital: '500' }), null)?.options.currency_capital).toBe(500);
  expect(backtestSetup(draft({ buy_pct: 'x' }), null)).toBeNull();
});
