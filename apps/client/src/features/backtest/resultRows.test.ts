import type { BacktestDocument } from '@heron/engine/report/document.ts';
import { expect, test } from 'vitest';
import { resultRows } from './resultRows.ts';

type Given = Parameters<typeof resultRows>[0];

const given = {
  pairs: [
    { pair: 'BTC-USDT', realised: -0.00000001, trades: 3, wins: 0, losses: 1, fees: 0.5, slippage: 0 },
    { pair: 'ETH-USDT', realised: 12.5, trades: 2, wins: 1, losses: 0, fees: 0.1, slippage: -0.2 },
  ],
  metrics: {
    byReason: { stop_loss: { trades: 1, net: -0.00000001 }, take_profit: { trades: 1, net: 12.5 } },
    byMonth: { '2025-12': { trades: 1, net: 12.5 }, '2026-01': { trades: 1, net: -0.00000001 } },
  },
} as unknown as Given & BacktestDocument;

test('amounts are exact decimals, also the smallest one', () => {
  expect(resultRows(given).pairs.map(({ pair, net }) => [pair, net])).toEqual([
    ['BTC-USDT', '-0.00000001'],
    ['ETH-USDT', '12.5'],
  ]);
});

test('reasons begin with the best, months with the newest', () => {
  const { reasons, months } = resultRows(given);
  expect(reasons).toEqual([
    { reason: 'take_profit', net: '12.5', trades: 1 },
    { reason: 'stop_loss', net: '-0.00000001', trades: 1 },
  ]);
  expect(months.map(({ month }) => month)).toEqual(['2026-01', '2025-12']);
});
